/**
 * Markdown as elements. It is read into tokens, and no HTML is ever made of them: a text of a page stays a
 * text, and a link has no address.
 */
import { Lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { type Column, Table } from '../parts/table.tsx';

const Inline = ({ tokens = [] }: { tokens?: readonly Token[] | undefined }) => <>{tokens.map(inlineOf)}</>;

const inlineOf = (token: Token, n: number): ComponentChildren => {
  const inner = 'tokens' in token ? <Inline tokens={token.tokens} /> : null;
  if (token.type === 'strong') return <strong key={n}>{inner}</strong>;
  if (token.type === 'em') return <em key={n}>{inner}</em>;
  if (token.type === 'codespan') return <code key={n}>{token.text}</code>;
  if (token.type === 'br') return <br key={n} />;
  return inner ?? ('text' in token ? token.text : token.raw);
};

type Cells = Tokens.Table['rows'][number];

const columnOf = ({ text }: Tokens.TableCell, n: number): Column<Cells> => ({
  id: `${n}`,
  title: text,
  min: n === 0 ? 150 : 95,
  ...(n > 0 && { label: text }),
  cell: (cells) => <Inline tokens={cells[n]?.tokens} />,
});

const DataTable = ({ header, rows }: Tokens.Table) => (
  <Table
    label="Table"
    class=""
    columns={header.map(columnOf)}
    rows={rows}
    keyOf={(cells) => cells.map(({ text }) => text).join(' ')}
  />
);

const headings = ['h2', 'h3', 'h4', 'h4', 'h4', 'h4'] as const;

const blockOf = (token: Token, n: number): ComponentChildren => {
  switch (token.type) {
    case 'heading': {
      // The view has its own first heading.
      const Heading = headings[token.depth - 1] ?? 'h4';
      return (
        <Heading key={n}>
          <Inline tokens={token.tokens} />
        </Heading>
      );
    }
    case 'list':
      return (
        <ul key={n}>
          {(token as Tokens.List).items.map((item, at) => (
            <li key={at}>{item.tokens.map(blockOf)}</li>
          ))}
        </ul>
      );
    case 'table':
      return <DataTable key={n} {...(token as Tokens.Table)} />;
    case 'space':
      return null;
    case 'paragraph':
      return (
        <p key={n}>
          <Inline tokens={token.tokens} />
        </p>
      );
    default:
      return <Inline key={n} tokens={[token]} />;
  }
};

export const Markdown = ({ text }: { text: string }) => (
  <div class="prose">{new Lexer({ gfm: true }).lex(text).map(blockOf)}</div>
);
