/** UTC, and the present names of zones that browsers with V8 list under a former one only; others list them. */
const PRESENT_NAMES = [
  'UTC',
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Catamarca',
  'America/Argentina/Cordoba',
  'America/Argentina/Jujuy',
  'America/Argentina/Mendoza',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
];
/** All time zones by name, as options of a list. */
export const TIME_ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), ...PRESENT_NAMES])]
  .toSorted()
  .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
