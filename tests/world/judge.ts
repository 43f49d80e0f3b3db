import assert from 'node:assert/strict';
import type { Json } from '@partner-portal/core/template/types.ts';
import { ROLES } from './events.ts';
import type { Expected, MailExpected, TemplateName, TextExpected } from './row.ts';
import type { Case, Mail, Outcome, Run, Text } from './world-system.ts';

/** Compares what came of a row with what must. */
export function judge({ row, template }: Case, outcome: Outcome): void {
  const expected = typeof row.expect === 'function' ? row.expect(template) : row.expect;
  const shown = JSON.stringify({ answers: outcome.answers.map(({ status, body }) => ({ status, body })), runs: outcome.runs }, null, 1);
  try {
    judgeAnswers(expected, outcome);
    judgeValues(template, expected, outcome.runs);
    judgeEnds(expected, outcome.runs);
    if (expected.texts)
      matchTexts(
        expected.texts,
        outcome.runs.flatMap((run) => run.texts),
      );
    if (expected.mails)
      matchMails(
        expected.mails,
        outcome.runs.flatMap((run) => run.mails),
      );
  } catch (error) {
    // The outcome of the row explains more than the position of the first difference.
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${shown.slice(0, 3_000)}`);
  }
}

function judgeAnswers({ refused, runs = 1 }: Expected, outcome: Outcome): void {
  if (refused) {
    for (const { status, headers, body } of outcome.answers) {
      const problem = (body ?? {}) as { code?: string; errors?: { field: string }[] }; // a problem document, if anything
      assert.deepEqual([status, problem.code], [refused.status, refused.code]);
      if (refused.field !== undefined)
        assert.ok(
          problem.errors?.some(({ field }) => field === refused.field),
          `No error names ${refused.field}.`,
        );
      for (const [name, value] of Object.entries(refused.headers ?? {})) assert.equal(headers.get(name), value, name);
    }
    assert.equal(outcome.runs.length, 0);
    return;
  }
  for (const { status } of outcome.answers) assert.ok(status === 202 || status === 207 || status === 200, `It was answered ${status}.`);
  assert.equal(outcome.runs.length, runs, 'runs');
}

const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

function judgeValues(template: TemplateName, { value, phone, mail, time, remark }: Expected, runs: readonly Run[]): void {
  const roles = ROLES[template];
  const wanted: [string, Json][] = [
    ...Object.entries(value ?? {}),
    ...(phone === undefined ? [] : [[roles.phone ?? '', phone] as [string, Json]]),
    ...(mail === undefined ? [] : [[roles.mail ?? '', mail] as [string, Json]]),
  ];
  for (const run of runs) {
    for (const [key, one] of wanted) assert.deepEqual(stepInput(run)[key] ?? null, one, `${key} of ${run.id}`);
    if (time === null) assert.equal(stepInput(run)[roles.time ?? ''] ?? null, null);
    else if (time !== undefined) {
      const got = String(stepInput(run)[roles.time ?? '']);
      assert.match(got, OFFSET_TIME);
      assert.equal(new Date(got).toISOString(), new Date(time).toISOString());
    }
    if (remark !== undefined) assert.ok(run.remarks.includes(remark), `No remark says “${remark}”: ${run.remarks}`);
  }
}

function stepInput({ input }: Run): NonNullable<Run['input']> {
  assert.ok(input, 'The flow was not started.');
  return input;
}

/** Reasons that a business cannot help: such a run costs nothing. */
const FREE: ReadonlySet<string> = new Set([
  'caller_withheld',
  'no_phone_number',
  'on_stop_list',
  'number_not_textable',
  'country_not_allowed',
  'opted_out',
  'opted_in',
  'answered_by_provider',
]);

function judgeEnds({ stopped, failed, output, isFree, refused }: Expected, runs: readonly Run[]): void {
  if (refused) return;
  for (const run of runs) {
    if (failed !== undefined) assert.equal(run.errorCode, failed);
    else assert.deepEqual([run.status, run.errorCode], ['SUCCEEDED', null]);
    if (stopped !== undefined) {
      assert.equal(run.output['reason'], stopped);
      assert.deepEqual([run.texts, run.mails], [[], []]);
      if (FREE.has(stopped)) assert.equal(run.creditsCharged, 0, 'credits');
    }
    if (isFree === true) assert.equal(run.creditsCharged, 0, 'credits');
    for (const [key, one] of Object.entries(output ?? {})) assert.deepEqual(run.output[key], one, key);
  }
}

function matchTexts(expected: readonly TextExpected[], sent: readonly Text[]): void {
  assert.deepEqual(sent.map(({ to }) => to).toSorted(), expected.map(({ to }) => to).toSorted());
  for (const { to, includes = [], excludes = [] } of expected) {
    const bodies = sent.filter((text) => text.to === to).map(({ body }) => body);
    for (const part of includes)
      assert.ok(
        bodies.some((body) => body.includes(part)),
        `No text to ${to} says “${part}”.`,
      );
    for (const part of excludes)
      assert.ok(
        bodies.every((body) => !body.includes(part)),
        `A text to ${to} says “${part}”.`,
      );
  }
}

function matchMails(expected: readonly MailExpected[], sent: readonly Mail[]): void {
  assert.deepEqual(sent.flatMap(({ to }) => to).toSorted(), expected.map(({ to }) => to).toSorted());
  for (const { to, from, subject, includes = [], excludes = [] } of expected) {
    const mails = sent.filter((mail) => mail.to.includes(to));
    for (const part of includes)
      assert.ok(
        mails.some(({ text }) => text.includes(part)),
        `No mail to ${to} says “${part}”.`,
      );
    for (const part of excludes)
      assert.ok(
        mails.every(({ text }) => !text.includes(part)),
        `A mail to ${to} says “${part}”.`,
      );
    if (subject !== undefined)
      assert.ok(
        mails.some((mail) => mail.subject.includes(subject)),
        `No mail to ${to} has a subject with “${subject}”.`,
      );
    if (from !== undefined) for (const mail of mails) assert.match(mail.from, from);
  }
}
