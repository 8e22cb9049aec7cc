/** The search of the playground in the form of another service: the request, its answer, and what changes. */
import { useState } from 'preact/hooks';
import { changedLines, type FormName, formCurl, formRequest, forms, formsFor } from '../forms.ts';
import { announce, messageOf } from '../hooks.ts';
import type { SearchBody, Target } from '../search.ts';
import { baseUrl, type Exchange, exchange, urlOf } from '../session.ts';
import { Code, Json } from './code.tsx';
import { SelectField } from './field.tsx';
import { Notice } from './notice.tsx';

type Props = { target: Target; body: SearchBody; mayWrite: boolean };

const Answer = ({ answer: { status, headers, body } }: { answer: Exchange }) => (
  <>
    <h2>Answer: status {status}</h2>
    <Code
      label="Headers"
      text={Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}
    />
    <Json label="Answer" value={body} />
  </>
);

const OneForm = ({ name, target, body, mayWrite }: Props & { name: FormName }) => {
  const [answer, setAnswer] = useState<Exchange | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const request = formRequest(name, target, body);
  const send = async () => {
    setError(null);
    setIsSending(true);
    announce('Searching.');
    try {
      const received = await exchange(request.path, request.body);
      setAnswer(received);
      announce(`The answer has the status ${received.status}.`);
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <>
      <h2>The two lines that change</h2>
      <Code label="Lines" text={changedLines(name, baseUrl)} />
      <h2>Request</h2>
      <Code label="Request" text={formCurl(name, request, baseUrl)} />
      {mayWrite && (
        <button type="button" class="primary" disabled={isSending} onClick={send}>
          {isSending ? 'Searching …' : 'Send'}
        </button>
      )}
      {error && <Notice kind="error">{error}</Notice>}
      {answer && <Answer answer={answer} />}
    </>
  );
};

export const OtherForms = (props: Props) => {
  const names = formsFor(props.target);
  const [chosen, setChosen] = useState<FormName>('serper');
  const name = names.includes(chosen) ? chosen : (names[0] ?? chosen);
  return (
    <div class="editor other-forms">
      <SelectField
        label="In the form of"
        value={name}
        options={names.map((each) => [each, forms[each].title] as const)}
        onChoice={(value) => setChosen(names.find((each) => each === value) ?? name)}
      />
      <p class="hint">
        A program that was written for this service works with another address and a key:{' '}
        <a href={urlOf(`docs/existing-clients#${name}`)}>Existing clients</a>. Each answer is a search of its
        own.
      </p>
      <OneForm key={`${name} ${JSON.stringify(props.body)}`} {...props} name={name} />
    </div>
  );
};
