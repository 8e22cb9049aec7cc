/**
 * The order of a fair queue of SQS: each message group gets its share, however many messages another group
 * has in the queue.
 */

type Grouped = { messageGroupId?: string | undefined };

/**
 * The messages that wait in a queue. Hands out the next message of the group with the fewest messages in
 * flight. Of several such groups, the one that has waited longest is next. In a group, the order is that of
 * arrival. SQS treats each message without a group as a separate group, which has none in flight.
 */
export class FairMessages<Message extends Grouped> {
  /** The group that has waited longest is the first. */
  readonly #groups = new Map<string | undefined, Message[]>();
  readonly #inFlight: (group: string) => number;
  #length = 0;

  constructor(inFlight: (group: string) => number) {
    this.#inFlight = inFlight;
  }

  get length(): number {
    return this.#length;
  }

  push(message: Message): number {
    const messages = this.#groups.get(message.messageGroupId);
    if (messages) messages.push(message);
    else this.#groups.set(message.messageGroupId, [message]);
    this.#length += 1;
    return this.#length;
  }

  /** The next message, of a group for which `isAllowed` is true. */
  shift(isAllowed: (group: string) => boolean = () => true): Message | undefined {
    const group = this.#nextGroup(isAllowed);
    const messages = group === null ? undefined : this.#groups.get(group);
    const message = messages?.shift();
    if (group === null || !messages || !message) return undefined;
    this.#groups.delete(group);
    if (messages.length > 0) this.#groups.set(group, messages);
    this.#length -= 1;
    return message;
  }

  *[Symbol.iterator](): Generator<Message> {
    for (const messages of this.#groups.values()) yield* messages;
  }

  /** Null if no group is allowed. */
  #nextGroup(isAllowed: (group: string) => boolean): string | undefined | null {
    let next: string | undefined | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const group of this.#groups.keys()) {
      if (group !== undefined && !isAllowed(group)) continue;
      const count = group === undefined ? 0 : this.#inFlight(group);
      if (count >= fewest) continue;
      next = group;
      fewest = count;
      if (count === 0) break;
    }
    return next;
  }
}

/** The messages in flight by receipt handle, which also counts them by group. */
export class InFlightMessages<Entry extends { message: Grouped }> extends Map<string, Entry> {
  readonly #counts = new Map<string, number>();

  count(group: string): number {
    return this.#counts.get(group) ?? 0;
  }

  override set(handle: string, entry: Entry): this {
    this.delete(handle);
    this.#add(entry, 1);
    return super.set(handle, entry);
  }

  override delete(handle: string): boolean {
    const entry = this.get(handle);
    if (entry) this.#add(entry, -1);
    return super.delete(handle);
  }

  override clear(): void {
    this.#counts.clear();
    super.clear();
  }

  #add({ message: { messageGroupId: group } }: Entry, change: number): void {
    if (group === undefined) return;
    const count = this.count(group) + change;
    if (count === 0) this.#counts.delete(group);
    else this.#counts.set(group, count);
  }
}
