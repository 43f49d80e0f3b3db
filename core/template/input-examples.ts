import type { Json } from './types.ts';

/** How senders may write the inputs of an agent, in words and examples. Browser-safe. The reader understands each example: input-examples.test.ts. */

/** Context for reading a value without its own zone or country: an IANA time zone, and the ISO code of the client's own country. */
export type ExampleClient = { timezone: string; country: string | null };

/** `examples`: two accepted notations of the same kind of value. `note`: how the second is read where it does not say so itself. */
export type InputExamples = { type: string; examples: [Json, Json]; note: string | null };

const TYPE_WORDS = {
  phone: 'Phone number',
  email: 'E-mail address',
  text: 'Text',
  longtext: 'Longer text',
  url: 'Web address',
  number: 'Number',
  money: 'Amount of money',
  boolean: 'Yes or no',
  datetime: 'Date and time',
  object: 'Object',
} as const;

/** Numbers that are reserved for examples or fiction, as people of the country write them. */
const NATIONAL_NUMBERS: { readonly [country: string]: string } = {
  US: '(312) 555-0121',
  CA: '(604) 555-0121',
  GB: '020 7946 0121',
  DE: '030 23125 121',
  FR: '01 99 00 12 34',
  AU: '(02) 5550 0121',
};
const INTERNATIONAL_NUMBERS = ['+13125550121', '+1 (312) 555-0121'] as const;
const DATETIMES = ['2027-01-05T15:00:00Z', '2027-01-05 15:00'] as const;

type ExampleInput = { type: string; example: Json; timeRequired?: boolean | undefined };

/** Returns the type of an input in plain words, with two values that an event may carry. */
export function inputExamples({ type, example, timeRequired }: ExampleInput, client: ExampleClient): InputExamples {
  switch (type) {
    case 'phone':
      return { ...phoneExamples(client.country), type: TYPE_WORDS.phone };
    case 'email':
      return { type: TYPE_WORDS.email, examples: emailExamples(example), note: null };
    case 'datetime':
      return {
        type: TYPE_WORDS.datetime,
        examples: [...DATETIMES],
        note: `without an offset: in ${placeOf(client.timezone)}${timeRequired === true ? '; not a day alone' : ''}`,
      };
    case 'boolean':
      return { type: TYPE_WORDS.boolean, examples: [example === true, example === true ? 'yes' : 'no'], note: null };
    case 'number': {
      const number = typeof example === 'number' ? example : 5;
      return { type: TYPE_WORDS.number, examples: [number, String(number)], note: null };
    }
    case 'money':
      return { type: TYPE_WORDS.money, examples: ['1240.50', '1,240.50'], note: null };
    case 'url': {
      const link = typeof example === 'string' && example !== '' ? example : 'https://example.com';
      return { type: TYPE_WORDS.url, examples: [link, link.replace(/^https:\/\//, '')], note: 'without a scheme: https' };
    }
    case 'object':
      return { type: TYPE_WORDS.object, examples: [example, { name: 'Ada Byron', email: 'ada@example.com' }], note: null };
    default:
      return {
        type: type === 'longtext' ? TYPE_WORDS.longtext : TYPE_WORDS.text,
        examples: [example, [example]],
        note: 'a list is joined by commas',
      };
  }
}

function phoneExamples(country: string | null): Pick<InputExamples, 'examples' | 'note'> {
  const national = country === null ? undefined : NATIONAL_NUMBERS[country];
  if (national === undefined) return { examples: [...INTERNATIONAL_NUMBERS], note: null };
  return { examples: [INTERNATIONAL_NUMBERS[0], national], note: `without a country code: in ${regionName(country ?? '')}` };
}

/** "Germany" for DE, "the United States" for US. */
function regionName(country: string): string {
  const name = new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country;
  return name.startsWith('United ') ? `the ${name}` : name;
}

function emailExamples(example: Json): [Json, Json] {
  const address = typeof example === 'string' && example.trim() !== '' ? example.trim().toLowerCase() : 'ada@example.com';
  return [address, `Ada Byron <${address}>`];
}

/** "Chicago" for "America/Chicago". */
function placeOf(timezone: string): string {
  return timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? timezone;
}
