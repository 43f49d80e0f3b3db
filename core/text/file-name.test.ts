import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exportFileName, reportFileName } from './file-name.ts';

describe('the name of a file', () => {
  for (const [name, plain] of [
    ['Café am Markt', 'cafe-am-markt'],
    ['Strauß & Łukasiewicz', 'strauss-lukasiewicz'],
    ['Bjørn Ærø', 'bjorn-aero'],
    ['–Müller–', 'muller'],
  ] as const)
    it(`has the letters of ${name}`, () => assert.equal(reportFileName(name, '2026-11', 'pdf'), `${plain}-2026-11.pdf`));

  it('names what it is where no letter is left', () =>
    assert.equal(exportFileName('株式会社', '2026-11-30T09:00:00.000Z'), 'export-2026-11-30.zip'));
});
