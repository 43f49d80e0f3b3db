import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findBundle } from '@partner-portal/catalog/index.ts';
import { contactsNoOne } from './follow-ups.ts';
import type { JsonObject } from './types.ts';

const NOW = new Date('2027-01-05T12:00:00Z');
const UNTIL = new Date('2027-01-05T13:00:00Z');
const inHours = (hours: number): string => new Date(NOW.getTime() + hours * 3_600_000).toISOString();

describe('a run that contacts no one for certain', () => {
  const cases: [what: string, name: string, input: JsonObject, config: JsonObject, expected: boolean][] = [
    ['a visit beyond its reminders', 'appointment-reminder', { startTime: inHours(51) }, {}, true],
    ['a visit whose reminder may be due before quiet hours', 'appointment-reminder', { startTime: inHours(49) }, {}, false],
    ['a visit within its reminders', 'appointment-reminder', { startTime: inHours(23.5) }, {}, false],
    ['other reminders', 'appointment-reminder', { startTime: inHours(51) }, { leadHours: [72, 24] }, false],
    ['settings that were never saved', 'appointment-reminder', { startTime: inHours(51) }, { leadHours: null }, true],
    ['a start that is no time', 'appointment-reminder', { startTime: 'soon' }, {}, false],
    ['a visit that was cancelled', 'appointment-reminder', { startTime: inHours(1), cancelled: true }, {}, true],
    ['a quote of today', 'quote-follow-up', {}, {}, true],
    ['a quote whose first nudge is due', 'quote-follow-up', { sentAt: inHours(-50) }, {}, false],
    ['a quote that is nudged at once', 'quote-follow-up', {}, { delays: [3, 0] }, false],
    ['a date that is no time', 'quote-follow-up', { sentAt: '' }, {}, false],
    ['a quote that was answered', 'quote-follow-up', { sentAt: inHours(-50), answered: true }, {}, true],
    ['a call', 'missed-call-text-back', { callerNumber: '+13125550121', cancelled: true }, {}, false],
  ];
  for (const [what, name, input, config, expected] of cases)
    it(`${what}: ${expected}`, () => {
      const template = findBundle(name)?.template;
      assert.ok(template);
      assert.equal(contactsNoOne(template, input, config, { now: NOW, until: UNTIL }), expected);
    });
});
