import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingScheduleInputs, scheduleKind, scheduleInput, suggestedRule } from './template-schedule.ts';
import { latestDue, nextRunAt, type ScheduleRule } from './schedule.ts';
import type { Template, TemplateInput } from '../template/types.ts';

const rule = (every: ScheduleRule['every'], at: string, timezone: string, weekdays: number[] = []): ScheduleRule => ({
  every,
  at,
  timezone,
  weekdays,
});

const TEMPLATE: Template = {
  name: 'report',
  templateVersion: 1,
  title: 'Report',
  summary: '',
  clientSummary: '',
  category: 'reports',
  icon: 'table',
  inputs: [],
  config: [],
  data: ['name'],
  requiredConnections: [],
  steps: [],
  creditsPerRun: 1,
  timeoutMinutes: 30,
  changelog: [],
  isActive: true,
  sentences: { running: '', succeeded: '', failed: '', stopped: '' },
  resultsPhrase: { one: '', many: '' },
  hoursSavedPerRun: 0,
  sampleConversation: [],
  messages: [],
  result: {},
  stopsWhen: [],
};
const input = (key: string, required: boolean): TemplateInput => ({ key, label: key, type: 'text', required, aliases: [], example: 'x' });
const REPORT: Template = { ...TEMPLATE, inputs: [input('runDate', false)], suggestedSchedule: 'day' };
const CALLS: Template = { ...TEMPLATE, inputs: [input('callerNumber', true), input('name', false)], suggestedSchedule: 'hour' };

const CASES: [what: string, rule: ScheduleRule, after: string, next: string][] = [
  ['later today', rule('day', '09:30', 'UTC'), '2026-05-04T09:29:59.999Z', '2026-05-04T09:30:00.000Z'],
  ['tomorrow once today’s time has passed', rule('day', '09:30', 'UTC'), '2026-05-04T09:30:00.000Z', '2026-05-05T09:30:00.000Z'],
  ['in the zone, not in UTC', rule('day', '07:00', 'America/Chicago'), '2026-05-04T00:00:00.000Z', '2026-05-04T12:00:00.000Z'],
  ['a zone that is a day ahead', rule('day', '07:00', 'Pacific/Kiritimati'), '2026-05-04T00:00:00.000Z', '2026-05-04T17:00:00.000Z'],
  ['a zone with odd minutes', rule('day', '07:00', 'Asia/Kathmandu'), '2026-05-04T00:00:00.000Z', '2026-05-04T01:15:00.000Z'],
  ['over the end of the year', rule('day', '00:00', 'UTC'), '2026-12-31T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['a leap day', rule('day', '12:00', 'UTC'), '2028-02-28T12:00:00.000Z', '2028-02-29T12:00:00.000Z'],
  ['only on working days', rule('day', '08:00', 'Europe/Berlin', [1, 2, 3, 4, 5]), '2026-05-08T08:00:00.000Z', '2026-05-11T06:00:00.000Z'],
  ['weekly', rule('week', '08:00', 'Europe/Berlin', [1]), '2026-05-05T00:00:00.000Z', '2026-05-11T06:00:00.000Z'],
  ['weekly on two days', rule('week', '08:00', 'Europe/Berlin', [1, 4]), '2026-05-05T00:00:00.000Z', '2026-05-07T06:00:00.000Z'],
  ['weekly, a week later', rule('week', '08:00', 'UTC', [7]), '2026-05-10T08:00:00.000Z', '2026-05-17T08:00:00.000Z'],
  // 2026-03-29 02:00 → 03:00 in Berlin, 2026-10-25 03:00 → 02:00.
  [
    'a time the clock jumps over: an hour later that day',
    rule('day', '02:30', 'Europe/Berlin'),
    '2026-03-28T12:00:00.000Z',
    '2026-03-29T01:30:00.000Z',
  ],
  ['the day after the jump: as usual', rule('day', '02:30', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z'],
  ['a time shown twice: the first', rule('day', '02:30', 'Europe/Berlin'), '2026-10-24T12:00:00.000Z', '2026-10-25T00:30:00.000Z'],
  ['a time shown twice: not again', rule('day', '02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  ['between the two showings', rule('day', '02:30', 'Europe/Berlin'), '2026-10-25T01:00:00.000Z', '2026-10-26T01:30:00.000Z'],
  ['a zone west of UTC jumping', rule('day', '02:30', 'America/New_York'), '2026-03-08T05:00:00.000Z', '2026-03-08T07:30:00.000Z'],
  ['a midnight the clock jumps over', rule('day', '00:00', 'Africa/Cairo'), '2026-04-23T12:00:00.000Z', '2026-04-23T22:00:00.000Z'],
  ['a jump of half an hour', rule('day', '02:15', 'Australia/Lord_Howe'), '2026-10-03T12:00:00.000Z', '2026-10-03T15:45:00.000Z'],
  [
    'a date the zone skipped: the same time the next day',
    rule('day', '10:00', 'Pacific/Apia'),
    '2011-12-30T00:00:00.000Z',
    '2011-12-30T20:00:00.000Z',
  ],
  ['hourly', rule('hour', '00:15', 'UTC'), '2026-05-04T09:14:59.000Z', '2026-05-04T09:15:00.000Z'],
  ['hourly, the next one', rule('hour', '00:15', 'UTC'), '2026-05-04T09:15:00.000Z', '2026-05-04T10:15:00.000Z'],
  ['hourly, the hours of the rule do not count', rule('hour', '23:00', 'UTC'), '2026-05-04T09:15:00.000Z', '2026-05-04T10:00:00.000Z'],
  ['hourly in a zone with odd minutes', rule('hour', '00:00', 'Asia/Kolkata'), '2026-05-04T09:00:00.000Z', '2026-05-04T09:30:00.000Z'],
  ['hourly through a repeated hour: both', rule('hour', '00:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
  ['hourly over a jump: none is skipped', rule('hour', '00:30', 'Europe/Berlin'), '2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z'],
  [
    'hourly where the clock is set by half an hour',
    rule('hour', '00:10', 'Australia/Lord_Howe'),
    '2026-04-04T14:50:00.000Z',
    '2026-04-04T15:40:00.000Z',
  ],
  ['hourly on Mondays', rule('hour', '00:00', 'UTC', [1]), '2026-05-04T23:30:00.000Z', '2026-05-11T00:00:00.000Z'],
];

describe('the next run of a schedule', () => {
  for (const [what, schedule, after, next] of CASES) {
    it(what, () => assert.equal(nextRunAt(schedule, new Date(after)).toISOString(), next));
  }

  it('always lies ahead and never repeats, over two years in zones of every kind', () => {
    for (const timezone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Casablanca']) {
      let at = new Date('2026-01-01T00:00:00Z');
      const days = new Set<string>();
      for (let n = 0; n < 730; n += 1) {
        const next = nextRunAt(rule('day', '02:30', timezone), at);
        assert.ok(next > at);
        const day = scheduleInput(REPORT, next, timezone)['runDate'];
        assert.ok(typeof day === 'string' && !days.has(day), `${timezone} ran twice on ${String(day)}`);
        days.add(day);
        at = next;
      }
      assert.equal(days.size, 730);
    }
  });

  it('was due last at the newest time of the rule, however long nothing ran, else when it is due', () => {
    const latest = (schedule: ScheduleRule, dueAt: string, now: string) =>
      latestDue(schedule, new Date(dueAt), new Date(now)).toISOString();
    const morning = rule('day', '07:00', 'America/Chicago');
    assert.equal(latest(morning, '2026-05-04T12:00:00Z', '2026-05-04T23:00:00Z'), '2026-05-04T12:00:00.000Z');
    assert.equal(latest(morning, '2026-05-04T12:00:00Z', '2026-05-08T11:59:00Z'), '2026-05-07T12:00:00.000Z');
    assert.equal(latest(morning, '2024-05-04T12:00:00Z', '2026-05-08T12:00:00Z'), '2026-05-08T12:00:00.000Z');
    const mondays = rule('week', '07:00', 'UTC', [1]);
    assert.equal(latest(mondays, '2026-04-06T07:00:00Z', '2026-05-10T07:00:00Z'), '2026-05-04T07:00:00.000Z');
    assert.equal(latest(rule('hour', '00:00', 'UTC'), '2026-05-04T07:00:00Z', '2026-05-08T11:59:00Z'), '2026-05-08T11:00:00.000Z');
  });

  it('refuses an invalid time of day and an unknown zone', () => {
    assert.throws(() => nextRunAt(rule('day', '24:00', 'UTC'), new Date(0)), RangeError);
    assert.throws(() => nextRunAt(rule('day', '10:00', 'Nowhere/Land'), new Date(0)), RangeError);
    assert.throws(() => nextRunAt(rule('week', '10:00', 'UTC', [8]), new Date(0)), RangeError);
  });
});

describe('the input of a scheduled execution', () => {
  it('is the day that ended last for the client', () => {
    const late = new Date('2026-05-04T23:30:00Z');
    assert.deepEqual(scheduleInput(REPORT, late, 'Europe/Berlin'), { runDate: '2026-05-04' });
    assert.deepEqual(scheduleInput(REPORT, late, 'America/Chicago'), { runDate: '2026-05-03' });
    assert.deepEqual(scheduleInput(CALLS, late, 'UTC'), {});
  });

  it('suffices for an agent that needs only the date, and lacks what only an event supplies', () => {
    assert.deepEqual(missingScheduleInputs(REPORT), []);
    assert.deepEqual(missingScheduleInputs({ ...REPORT, inputs: [input('runDate', true)] }), []);
    assert.deepEqual(missingScheduleInputs(CALLS), [{ key: 'callerNumber', label: 'callerNumber' }]);
  });
});

describe('what a schedule does', () => {
  it('is a run when a schedule can supply the input, a booking check when bookings can, and none for event agents', () => {
    const reminder: Template = { ...CALLS, looksAt: 'bookings' };
    assert.deepEqual([REPORT, reminder, CALLS].map(scheduleKind), ['run', 'bookings', 'events']);
    assert.deepEqual(missingScheduleInputs(reminder), []);
    assert.deepEqual(suggestedRule(reminder, 'UTC'), rule('hour', '00:00', 'UTC'));
  });
});

describe('the suggested schedule', () => {
  const suggest = (template: Template) => suggestedRule(template, 'America/Chicago');
  it('is the template’s, in the time zone of the client', () => {
    assert.deepEqual(suggest(REPORT), rule('day', '07:00', 'America/Chicago'));
    assert.deepEqual(suggest({ ...REPORT, suggestedSchedule: 'week' }), rule('week', '07:00', 'America/Chicago', [1]));
    assert.deepEqual(suggest({ ...REPORT, suggestedSchedule: 'hour' }), rule('hour', '00:00', 'America/Chicago'));
  });
  it('is none when the template has none, or when a schedule cannot supply its input', () => {
    assert.equal(suggest(TEMPLATE), null);
    assert.equal(suggest(CALLS), null);
  });
});
