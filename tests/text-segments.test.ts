import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countSegments } from '@partner-portal/core/contact/segments.ts';
import { countSegments as countInSandbox } from '@partner-portal/sandbox/segments.ts';

// The sandbox imports nothing of ours, so the rule stands twice.
it('a text is billed by the sandbox as the portal says', () => {
  const signs = Array.from({ length: 0x2_000 }, (_, point) => String.fromCodePoint(point)).concat('€', '’', '😀', '🦷');
  for (const sign of signs)
    for (const length of [0, 35, 66, 70, 71, 80, 81, 152, 160, 161])
      for (const text of [sign.repeat(length), `${sign}${'a'.repeat(length)}`])
        if (countSegments(text) !== countInSandbox(text)) assert.fail(JSON.stringify(text));
});
