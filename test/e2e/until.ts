/** Waits for what a test expects to happen, for longer than it takes on any machine that still works. */

/**
 * Only ends what would hang. It is far above what a busy machine needs, and less than the time limit of a
 * test, whose error would not name what is missing.
 */
export const patienceMs = 240_000;

/**
 * The pause before the next look. It grows with the time that has passed, because some tests wait for many
 * things at a time, and their looks would use the processor that the service needs.
 */
export const pauseMs = (passedMs: number): number => Math.min(1000, Math.max(100, passedMs / 4));

/** `missing`: says what has not happened, when the wait ends without it. */
export const until = async (
  isThere: () => boolean | Promise<boolean>,
  missing: string | (() => string | Promise<string>),
  withinMs = patienceMs,
): Promise<void> => {
  const begun = performance.now();
  for (;;) {
    if (await isThere()) return;
    const passedMs = performance.now() - begun;
    if (passedMs > withinMs) {
      const what = typeof missing === 'string' ? missing : await missing();
      throw new Error(`After ${Math.round(passedMs / 1000)} s: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs(passedMs)));
  }
};
