/**
 * The time between the calls of a source at a rate: a tenth longer than the rate says. A call that may start
 * at once starts a little late, and the next one must still not come before its time: the source would refuse
 * all calls for half a minute. 0 if the rate is unlimited.
 */
export const callSeconds = (rate: number): number => (rate === 0 ? 0 : 1.1 / rate);
