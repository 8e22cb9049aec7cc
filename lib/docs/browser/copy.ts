/** A button above each code block that copies its code. */

const shownMilliseconds = 2000;

const say = (text: string): void => {
  const status = document.querySelector('#copied');
  if (status) status.textContent = text;
};

const buttonFor = (code: string): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const show = (text: string) => {
    button.textContent = text;
    say(text);
    setTimeout(() => {
      button.textContent = 'Copy';
      say('');
    }, shownMilliseconds);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code).then(
      () => show('Copied'),
      () => show('Not allowed'),
    );
  });
  return button;
};

/** Browsers offer the clipboard to pages on https and on the own machine only. */
export const addCopyButtons = (): void => {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll('.code')) {
    const code = block.querySelector('code')?.textContent ?? '';
    block.querySelector('.code-head')?.append(buttonFor(code));
  }
};
