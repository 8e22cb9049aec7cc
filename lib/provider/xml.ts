/**
 * Reads XML of a source into plain objects: attributes and elements by name without prefix, all values as
 * text.
 */
import { decodeXML } from 'entities/decode';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/**
 * The root element by name; undefined if the text is no complete, well-formed XML. `lists` are the elements
 * that become arrays.
 */
export const readXml = (text: string, lists: readonly string[]): unknown => {
  if (XMLValidator.validate(text) !== true) return undefined;
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    removeNSPrefix: true,
    // Only the references of XML itself are decoded, so a document cannot define entities that expand.
    processEntities: false,
    tagValueProcessor: (_, value) => decodeXML(value),
    attributeValueProcessor: (_, value) => decodeXML(value),
    isArray: (name) => lists.includes(name),
  });
  // The parser refuses more than the validator: an end in the last tag, reserved names, deep nesting.
  try {
    return parser.parse(text);
  } catch {
    return undefined;
  }
};
