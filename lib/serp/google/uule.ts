/** The `uule` parameter of a Google search: the location of the user, as the protobuf message that the engine itself writes. */

/** Field numbers, roles and producers, as publicly documented for the message `LocationDescriptor`. */
const role = { field: 1, userSpecifiedForRequest: 2 };
const producer = { field: 2, userLocation: 32 };
const canonicalName = { field: 4 };

const wire = { varint: 0, bytes: 2 };

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];

const tag = (field: number, type: number): number[] => varint((field << 3) | type);

/** `w+` and the unpadded base64url of the message. The name is used as given: any length, any script. */
export const uule = (locationName: string): string => {
  const name = Buffer.from(locationName, 'utf8');
  const message = Buffer.concat([
    Uint8Array.from([
      ...tag(role.field, wire.varint),
      ...varint(role.userSpecifiedForRequest),
      ...tag(producer.field, wire.varint),
      ...varint(producer.userLocation),
      ...tag(canonicalName.field, wire.bytes),
      ...varint(name.length),
    ]),
    name,
  ]);
  return `w+${message.toString('base64url')}`;
};
