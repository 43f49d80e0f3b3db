import { z } from 'zod';
import type { FieldError } from './errors.ts';
import { fieldErrors } from './field-errors.ts';

// For browsers, whose content security policy forbids compiling checks with `new Function`. Applies to schemas made from now on: this
// file is loaded before the files of the route table.
z.config({ jitless: true });

/** Checks a request body as the service will; the body is what JSON makes of it. */
export function checkBody(schema: z.ZodType, body: unknown): FieldError[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : fieldErrors(parsed.error);
}
