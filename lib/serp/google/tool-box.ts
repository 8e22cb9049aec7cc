/**
 * Tools of the engine, recognised by their structure: the calculator by its keys, converters of currencies
 * and units by their fields and lists.
 */

import { type Element, isTag, isText } from 'domhandler';
import { ancestors, find, findAll, has, hasId, isInside, isNamed, type Test } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import { once } from '../page-cache.ts';
import type { Draft } from '../walker.ts';
import { isColumn, isEntityData, isRanked } from './elements.ts';

const isButton: Test = ({ name, attribs }) => name === 'button' || attribs.role === 'button';

/** The text at the start of a button. The keys of a calculator have no more than that. */
const startOf = (button: Element): string => {
  let node = button.children[0];
  while (node && isTag(node)) node = node.children[0];
  return node && isText(node) ? node.data.trim() : '';
};

/** The key of a calculator that shows the result. */
export const isEqualsKey: Test = (element) => isButton(element) && startOf(element) === '=';

const digits = '0123456789';

const isPad: Test = (box) => {
  const keys = new Set(findAll(box, isButton).map(startOf));
  return [...digits].every((digit) => keys.has(digit));
};

/** The box with the display of a calculator and its keys: the smallest one with other text than the keys. */
const calculatorAround = (key: Element): { pad: Element; box: Element } | undefined => {
  const boxes = ancestors(key);
  const end = boxes.findIndex(isColumn);
  const inColumn = end < 0 ? boxes : boxes.slice(0, end);
  const at = inColumn.findIndex(isPad);
  const pad = inColumn[at];
  const box = inColumn.slice(at + 1).find((up) => linesOf(up, (part) => part === pad).length > 0);
  return pad && box ? { pad, box } : undefined;
};

/** The title is the term, such as `6 × 7 =`, and the text is the result. */
export const readCalculator = (key: Element): Draft[] => {
  const found = calculatorAround(key);
  if (!found) return [];
  const lines = linesOf(found.box, (part) => part === found.pad || isButton(part)).flatMap((line) =>
    // Term and result may be in the same line.
    line.split(/(?<==)\s+/),
  );
  const at = lines.findIndex((line) => line.endsWith('='));
  const [title = '', snippet = ''] = at < 0 ? lines : lines.slice(at);
  return title === '' ? [] : [{ title, snippet, answer_kind: 'calculator' }];
};

const isResultOfTerm = hasId('cwos');

/** The result of a calculator without keys. Those with keys are read by their keys. */
export const isCalculated: Test = (element) =>
  isResultOfTerm(element) && !isInside(element, (up) => !isColumn(up) && isPad(up));

export const readCalculated = (result: Element): Draft[] => {
  const snippet = textOf(result);
  const box = ancestors(result).find((up) => isColumn(up) || linesOf(up).some((line) => line !== snippet));
  const title = box && !isColumn(box) ? (linesOf(box, (part) => part === result)[0] ?? '') : '';
  return snippet === '' ? [] : [{ title: title || snippet, snippet, answer_kind: 'calculator' }];
};

const isList = isNamed('select');
const isField: Test = ({ name, attribs }) => name === 'input' && (attribs.type ?? 'text') !== 'hidden';

/** The data of the engine around an element. */
const dataAround = (element: Element): Element | undefined => ancestors(element).find(isEntityData);

const isOption = isNamed('option');

/** A list to choose from, with at least this many entries. */
const minEntries = 3;
const isChoice: Test = (list) => isList(list) && findAll(list, isOption).length >= minEntries;

const isControl: Test = (element) => isList(element) || element.name === 'button';

/**
 * Data of the engine with a list and a field, or the smallest box with a field, two lists to choose from, and
 * a text.
 */
const converterAround = once((list: Element): Element | undefined => {
  const data = dataAround(list);
  if (data && has(data, isField)) return data;
  if (!isRanked(list)) return undefined;
  const boxes = ancestors(list);
  return boxes
    .slice(0, boxes.findIndex(isColumn))
    .find(
      (box) => has(box, isField) && findAll(box, isChoice).length >= 2 && linesOf(box, isControl).length > 0,
    );
});

/** The first list in a tool that converts currencies or units. */
export const isConverterList: Test = (element) => {
  if (!isList(element)) return false;
  const tool = converterAround(element);
  return tool !== undefined && find(tool, isList) === element;
};

const chosenIn = (list: Element): string => {
  const chosen = find(list, (option) => isOption(option) && option.attribs.selected !== undefined);
  return chosen ? textOf(chosen) : '';
};

const amountOf = ({ attribs }: Element): string => attribs.value?.trim() ?? '';

/** The two amounts of a tool with the units that are chosen for them: the last two lists are the units. */
const amountsIn = (tool: Element): string[] => {
  const amounts = findAll(tool, isField).map(amountOf);
  const units = findAll(tool, isList).map(chosenIn).slice(-2);
  const shown = amounts.flatMap((amount, index) =>
    amount && units[index] ? `${amount} ${units[index]}` : [],
  );
  return shown.length === 2 ? shown : [];
};

/** The converter multiplies by this number when the user types, so a converter of currencies needs it. */
const isRate: Test = ({ attribs }) => attribs['data-exchange-rate'] !== undefined;
/** Charts of prices load more data for boxes with such ids. */
const isMarket: Test = ({ attribs }) => attribs.id?.startsWith('knowledge-finance') === true;

const isAt = (tool: Element, test: Test): boolean => has(tool, test) || isInside(tool, test) || test(tool);

/** The sentence with the result, or else the fields and the chosen units. */
export const readConverter = (list: Element): Draft[] => {
  const tool = converterAround(list);
  if (!tool) return [];
  const [first = '', ...rest] = linesOf(tool, isControl);
  const amounts = amountsIn(tool);
  const answer_kind = isAt(tool, isMarket) ? 'finance' : isAt(tool, isRate) ? 'currency' : 'unit';
  if (answer_kind === 'unit' && amounts.length > 0)
    return [{ title: amounts.join(' = '), snippet: [first, ...rest].join(' '), answer_kind }];
  return first === '' ? [] : [{ title: first, snippet: rest.join(' '), answer_kind }];
};
