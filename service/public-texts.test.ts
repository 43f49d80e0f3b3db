import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fillTextPage } from '#platform/http/text-page.ts';
import { readPublicTexts, textValues } from './public-texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'public-texts-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const VALUES = textValues({ name: 'Acme *Portal* GmbH', address: '1. Hof\n10115 Berlin', email: 'hello@acme.example' });

describe('terms and privacy page', () => {
  it('come with the service, and name the company that issues invoices', async () => {
    const [terms, privacy] = await readPublicTexts(undefined, VALUES);
    assert.deepEqual([terms?.path, terms?.title, privacy?.path, privacy?.title], ['/terms', 'Terms of use', '/privacy', 'Privacy']);
    assert.match(terms?.html ?? '', /<h1>Terms of use<\/h1>\n<p>These terms are between Acme \*Portal\* GmbH /);
    assert.match(
      terms?.html ?? '',
      /<p>This portal is run by Acme \*Portal\* GmbH\.<br>\n1\. Hof<br>\n10115 Berlin<br>\nhello@acme\.example<\/p>/,
    );
    for (const page of [terms, privacy]) assert.doesNotMatch(page?.html ?? '{{', /\{\{/);
    const [unnamed] = await readPublicTexts(undefined, textValues({ name: null, address: null, email: null }));
    assert.match(unnamed?.html ?? '', /between the operator of this portal/);
  });

  it('are those of the folder of the operator, each for itself', async () => {
    writeFileSync(join(folder, 'terms.md'), '# Our “terms” & more\n\nPay {{operator}} in *shells*. {{unknown}}');
    const [terms, privacy] = await readPublicTexts(folder, VALUES);
    assert.equal(terms?.title, 'Our “terms” & more');
    assert.match(terms?.html ?? '', /<p>Pay Acme \*Portal\* GmbH in <em>shells<\/em>\. \{\{unknown\}\}<\/p>/);
    assert.equal(privacy?.title, 'Privacy');
    assert.equal((await readPublicTexts(join(folder, 'nowhere'), VALUES))[0]?.title, 'Terms of use');
  });

  it('hold no code: tags are text, links lead to web, mail and phone addresses', async () => {
    writeFileSync(
      join(folder, 'terms.md'),
      '<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](https://a.example) ![c](data:text/html,x)',
    );
    const [terms] = await readPublicTexts(folder, VALUES);
    assert.equal(terms?.title, 'Terms');
    assert.match(terms?.html ?? '', /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    assert.deepEqual(
      [...(terms?.html ?? '').matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link]) => link),
      ['https://a.example'],
    );
    const page = fillTextPage('<title>{{title}}</title>{{path}}{{text}}', {
      path: '/terms',
      title: '</title>&$1',
      html: '<p>$&{{path}}</p>',
    });
    assert.equal(page, '<title>&lt;/title&gt;&amp;$1</title>/terms<p>$&{{path}}</p>');
  });

  it('stop the start with a reason when they are too large or no file', async () => {
    writeFileSync(join(folder, 'privacy.md'), 'x'.repeat(300 * 1024));
    await assert.rejects(readPublicTexts(folder, VALUES), /privacy\.md in PUBLIC_TEXTS_DIR is larger than 256 KiB/);
    await assert.rejects(readPublicTexts(join(folder, 'terms.md'), VALUES), /A text in PUBLIC_TEXTS_DIR cannot be read: ENOTDIR/);
  });
});
