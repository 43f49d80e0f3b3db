import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';

/** What the reporter sends to the run that started Playwright: the outcome of one spec file, or an error outside of every test. */
export type BrowserMessage = { file: string; passed: number; ms: number; failures: { title: string; text: string }[] };

/** Reports each spec file once, when its last test has ended; a file whose tests did not all run has failed. */
// oxlint-disable-next-line import/no-default-export -- Playwright loads a reporter by it
export default class BrowserReporter implements Reporter {
  #left = new Map<string, Set<TestCase>>();
  #tests = new Map<string, TestCase[]>();

  onBegin(_config: FullConfig, suite: Suite): void {
    for (const test of suite.allTests()) this.#tests.set(specOf(test), [...(this.#tests.get(specOf(test)) ?? []), test]);
    for (const [file, tests] of this.#tests) this.#left.set(file, new Set(tests));
  }

  onTestEnd(test: TestCase): void {
    const file = specOf(test);
    const left = this.#left.get(file);
    left?.delete(test);
    if (left?.size === 0) this.#report(file);
  }

  onError(error: TestError): void {
    send({ file: 'tests/browser', passed: 0, ms: 0, failures: [{ title: 'the run of the browser', text: textOf([error]) }] });
  }

  onEnd(): void {
    for (const file of this.#left.keys()) this.#report(file);
  }

  #report(file: string): void {
    this.#left.delete(file);
    const tests = this.#tests.get(file) ?? [];
    const failed = tests.filter((test) => !test.ok() || test.results.length === 0);
    send({
      file,
      passed: tests.filter((test) => !failed.includes(test) && test.outcome() !== 'skipped').length,
      ms: tests.flatMap((test) => test.results).reduce((sum, { duration }) => sum + duration, 0),
      failures: failed.map((test) => ({
        title: test.title,
        text:
          textOf(test.results.flatMap(({ errors }) => errors)) + test.results.map(lastBefore).join('') ||
          `did not run: ${test.results.at(-1)?.status ?? 'never begun'}`,
      })),
    });
  }
}

/** The spec file that runs a test, which may be written in a file that several share. */
function specOf(test: TestCase): string {
  let suite: Suite | undefined = test.parent;
  while (suite && suite.type !== 'file') suite = suite.parent;
  return suite?.location?.file ?? test.location.file;
}

function send(message: BrowserMessage): void {
  process.send?.(message);
}

/** For a test that took too long, what it did last: a call outside of Playwright names nothing. */
function lastBefore({ status, steps }: TestResult): string {
  if (status !== 'timedOut') return '';
  const last = steps.flatMap(withInner).findLast(({ category }) => category === 'pw:api' || category === 'expect');
  return last ? `\nIt had ${last.duration < 0 ? 'not ended' : 'ended'} “${last.title}” at line ${last.location?.line ?? '?'}.` : '';
}

function withInner(step: TestStep): TestStep[] {
  return [step, ...step.steps.flatMap(withInner)];
}

function textOf(errors: readonly TestError[]): string {
  return stripVTControlCharacters(errors.map(({ message, value }) => message ?? value ?? '').join('\n'));
}
