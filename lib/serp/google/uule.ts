/**
 * The `uule` parameter of a Google search: the location of the user, as the message that the engine itself
 * writes, in binary or in text.
 */

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

/** Degrees as the message has them: whole tenths of a millionth. */
const e7 = (degrees: string | undefined): number => Math.round(Number(degrees) * 1e7);

/** Meters. A device that knows its place by GPS writes radii of this size. */
const usualRadius = 1000;

/**
 * `a+` and the base64 of the same message in text form, for `latitude,longitude` or
 * `latitude,longitude,radius`, in degrees and meters. It has no timestamp, so the same place is always the
 * same text.
 */
export const uuleOfPoint = (coordinates: string): string => {
  const [latitude, longitude, radius = usualRadius] = coordinates.split(',');
  const lines = [
    'role:1',
    'producer:12',
    'provenance:6',
    'latlng{',
    `latitude_e7:${e7(latitude)}`,
    `longitude_e7:${e7(longitude)}`,
    '}',
    `radius:${radius}`,
  ];
  return `a+${Buffer.from(lines.join('\n')).toString('base64url')}`;
};
