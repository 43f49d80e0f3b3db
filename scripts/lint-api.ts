import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** The API document that `npm run gen` writes. */
export const API_DOCUMENT = join(import.meta.dirname, '..', 'docs', 'api', 'openapi.json');

/** Returns the errors that a public linter of OpenAPI documents finds with its recommended rules, one line each: place, rule, message. */
export async function lintApiDocument(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: API_DOCUMENT, config });
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ location: [place], ruleId, message }) => `${place?.pointer ?? '#'}: ${ruleId}: ${message}`);
}

export const readApiDocument = (): string => readFileSync(API_DOCUMENT, 'utf8');

if (import.meta.main) {
  const errors = await lintApiDocument(readApiDocument());
  process.stdout.write(`${errors.join('\n')}\n`);
  process.exit(errors.length === 0 ? 0 : 1);
}
