/** Random numbers that a seed decides. */

/** Mixes a text into 32 bits (FNV-1a with a final mix), so that streams of different names differ. */
export const hashText = (text: string, start = 0x811c9dc5): number => {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

export type Random = {
  /** 0 to less than 1. */
  next: () => number;
  /** A whole number from 0 to `below` - 1. */
  int: (below: number) => number;
  chance: (part: number) => boolean;
  pick: <Item>(items: readonly Item[]) => Item;
  bytes: (size: number) => Buffer;
};

/** The stream of this name under the seed (sfc32). */
export const randomOf = (seed: number | string, name: string): Random => {
  let a = hashText(`${seed}/${name}/a`) | 0;
  let b = hashText(`${seed}/${name}/b`) | 0;
  let c = hashText(`${seed}/${name}/c`) | 0;
  let counter = 1;
  const word = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let n = 0; n < 12; n++) word();
  const next = () => word() / 4294967296;
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (part) => part > 0 && next() < part,
    pick: (items) => {
      const item = items[int(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
    bytes: (size) => Buffer.from(Array.from({ length: size }, () => int(256))),
  };
};
