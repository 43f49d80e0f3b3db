import { test } from 'node:test';

await test('ends', () => undefined);
