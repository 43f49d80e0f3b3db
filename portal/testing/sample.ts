import { z } from 'zod';

type Def = z.core.$ZodTypes['_zod']['def'];
const ID = '00000000-0000-4000-8000-000000000000';
const TIME = '2026-06-01T09:00:00.000Z';
const BY_FORMAT: { readonly [format: string]: string } = {
  uuid: ID,
  guid: ID,
  datetime: TIME,
  date: '2026-06-01',
  email: 'someone@example.com',
  url: 'https://example.com/',
};

const BY_MEMBER: { readonly [name: string]: string } = { timezone: 'UTC', locale: 'en' };

/** Returns the plainest value that a schema of the contract accepts, with `given` in place of its own members: empty lists, null where it may be, the first choice. */
export function sample<S extends z.ZodType>(schema: S, given: Partial<z.input<S>> = {}): z.input<S> {
  const value = plainest(schema);
  return (typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, ...given } : value) as z.input<S>; // made by its schema
}

/** An id that ends with this number. */
export const idOf = (n: number): string => ID.slice(0, -4) + String(n).padStart(4, '0');

function plainest(schema: z.core.$ZodType): unknown {
  const { def } = schema._zod as { def: Def };
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).flatMap(([name, one]) =>
          one._zod.optin === 'optional' ? [] : [[name, (one._zod.def.type === 'string' ? BY_MEMBER[name] : undefined) ?? plainest(one)]],
        ),
      );
    case 'string': {
      const { minimum, patterns } = schema._zod.bag as { minimum?: number; patterns?: ReadonlySet<RegExp> };
      const known = 'format' in def ? BY_FORMAT[String(def.format)] : undefined;
      if (known !== undefined) return known;
      const text = 'x'.repeat(minimum ?? 0);
      return ['x'.repeat(Math.max(1, minimum ?? 0)), text, ID, TIME, '2026-06-01', '2026-06', 'USD', '#1f4e8c', '09:00'].find((one) =>
        [...(patterns ?? [])].every((pattern) => new RegExp(pattern.source, pattern.flags).test(one)),
      );
    }
    case 'number':
      return Math.max(0, Number((schema._zod.bag as { minimum?: number }).minimum ?? 0));
    case 'boolean':
      return false;
    case 'null':
    case 'nullable':
      return null;
    case 'array': {
      const { minimum = 0 } = schema._zod.bag as { minimum?: number };
      return Array.from({ length: minimum }, () => plainest(def.element));
    }
    case 'record':
      return {};
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'union':
      return plainest(def.options[0] ?? z.undefined());
    case 'intersection':
      return { ...(plainest(def.left) as object), ...(plainest(def.right) as object) }; // of objects only
    case 'tuple':
      return def.items.map(plainest);
    case 'pipe':
      return plainest(def.in);
    case 'lazy':
      return plainest(def.getter());
    case 'readonly':
      return plainest(def.innerType);
    case 'custom':
      return new Uint8Array();
    default:
      // Unknown JSON, and what may be left out.
      return def.type === 'unknown' || def.type === 'any' ? null : undefined;
  }
}
