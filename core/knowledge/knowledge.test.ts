import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeText, looksLikeText } from './decode-text.ts';
import { editDistance } from './edit-distance.ts';
import { knowledgeTypeOf, titleOf } from './knowledge-file.ts';
import { cutPassages } from './passages.ts';
import { profileText } from './profile-text.ts';
import { searchVector } from './search-vector.ts';
import { likenessOf, planSearch, questionWords, rankPassages } from './terms.ts';
import { wordsOf } from './words.ts';

describe('words', () => {
  it('are the same with and without accents, case and apostrophes, in any script', () => {
    for (const [left, right] of [
      ['Öffnungszeiten', 'offnungszeiten'],
      ['CAFÉ', 'café'],
      ['Straße', 'STRASSE'],
      ['Łódź', 'lodz'],
      ['don’t', "don't"],
      ['ΚΑΛΗΜΈΡΑ', 'καλημερα'],
      ['Ёлка', 'елка'],
      ['ﬁne', 'fine'],
    ] as const)
      assert.deepEqual(wordsOf(left), wordsOf(right), left);
  });

  it('are pairs of characters where a script has no spaces', () => {
    assert.deepEqual(wordsOf('営業時間 9:00'), ['営業', '業時', '時間', '9', '00']);
  });

  it('of a question leave out what says nothing of it, in several languages', () => {
    assert.deepEqual(questionWords('Hello, could you please tell me what your opening hours are?'), ['opening', 'hours']);
    assert.deepEqual(questionWords('Wann habt ihr geöffnet?'), ['geoffnet']);
    assert.deepEqual(questionWords('Est-ce que vous avez un parking ?'), ['parking']);
    assert.deepEqual(questionWords('How are you?'), []);
  });

  it('of a question are those that only other languages have for nothing, where no others are left', () => {
    for (const [question, words] of [
      ['I need a will', ['will']],
      ['Do you have a van?', ['van']],
      ['Have you got dal?', ['dal']],
      ['Can I get there by Uber?', ['uber']],
      ['Where is the ER?', ['er']],
      ['How much is a ton?', ['ton']],
      ['When will you open?', ['open']],
      ['Wie geht es über den Hof?', ['geht', 'hof']],
      ['¿Qué hay?', []],
      ['Wie ist er?', []],
      ['Can I come with you?', ['come']],
      ['May I?', []],
      ['hello', []],
      ['Ok, danke!', []],
    ] as const)
      assert.deepEqual(questionWords(question), words, question);
  });

  it('make a search vector that needs no escaping, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (content, heading) => {
        const vector = searchVector({ title: "it's \\ 'quoted'", heading, content });
        return vector.split(' ').every((part) => part === '' || /^'[\p{L}\p{N}\p{M}]+':[\dAB,]+$/u.test(part));
      }),
    );
  });
});

describe('passages', () => {
  it('lose nothing of a text but white space, and are no longer than allowed', () => {
    const text = fc.array(
      fc.oneof(fc.lorem({ maxCount: 30, mode: 'sentences' }), fc.constant('\n\n'), fc.constant('\n'), fc.string({ unit: 'grapheme' })),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const given = parts.join(' ').replaceAll('#', '').replaceAll('\u0000', '');
        const passages = cutPassages(given);
        assert.ok(passages.every(({ content, heading }) => content.length > 0 && content.length <= 1_200 && heading.length <= 200));
        const kept = new Set(wordsOf(passages.map(({ heading, content }) => `${heading}\n${content}`).join('\n')));
        // A word longer than a passage is cut.
        assert.deepEqual(
          wordsOf(given).filter((word) => word.length < 40 && !kept.has(word)),
          [],
        );
      }),
      { numRuns: 200 },
    );
  });

  it('keep the headings above them', () => {
    const text =
      '# Prices\n\n## Cleaning\n\nA cleaning is 80 dollars.\n\nOpening hours\n\nWe open at nine.\nWe close at five.\n\n# Parking\nBehind the house.';
    assert.deepEqual(cutPassages(text), [
      { heading: 'Prices › Cleaning', content: 'A cleaning is 80 dollars.' },
      { heading: 'Opening hours', content: 'We open at nine.\nWe close at five.' },
      { heading: 'Parking', content: 'Behind the house.' },
    ]);
  });

  it('lose no heading, however long it is and many stand above each other', () => {
    const urgent =
      `Emergencies at the weekend and on public holidays, when the practice is closed: call 030 1234567 ${'at any hour '.repeat(3)}`.trim();
    const below = 'What to have at hand before you call, so that the person who answers can help at once';
    assert.deepEqual(cutPassages(`# ${urgent}\n\n## ${below}\n\nYour insurance card.`), [
      { heading: '', content: urgent },
      { heading: below, content: 'Your insurance card.' },
    ]);
    const block = fc.tuple(fc.constantFrom('# ', '## ', '### ', ''), fc.lorem({ maxCount: 25 })).map(([mark, words]) => `${mark}${words}`);
    fc.assert(
      fc.property(fc.array(block), (blocks) => {
        const passages = cutPassages(blocks.join('\n\n'));
        assert.ok(passages.every(({ content, heading }) => content.length > 0 && heading.length <= 160));
        const kept = wordsOf(passages.map(({ heading, content }) => `${heading}\n${content}`).join('\n'));
        assert.deepEqual(
          wordsOf(blocks.join('\n')).filter((word) => !kept.includes(word)),
          [],
        );
      }),
    );
  });

  it('are about a thousand characters of a long text, cut at sentences', () => {
    const passages = cutPassages(Array.from({ length: 200 }, (_, n) => `This is sentence number ${n} of a long text.`).join(' '));
    assert.ok(passages.length >= 7 && passages.length <= 12, String(passages.length));
    assert.ok(passages.every(({ content }) => content.endsWith('.')));
  });

  it('of a very long text are cut in time that grows with it', () => {
    assert.ok(cutPassages('x'.repeat(1_000_000)).length > 800);
    assert.ok(cutPassages('a b '.repeat(250_000)).length > 800);
    assert.ok(cutPassages('\n\n'.repeat(500_000)).length === 0);
  });
});

describe('likeness of words', () => {
  const cases: [asked: string, known: string, isAlike: boolean][] = [
    ['price', 'prices', true],
    ['opening', 'open', true],
    ['huors', 'hours', true],
    ['apointment', 'appointment', true],
    ['parkplatz', 'kundenparkplatz', true],
    ['offnungszeit', 'offnungszeiten', true],
    ['cat', 'car', false],
    ['2024', '2025', false],
    ['dentist', 'density', false],
    ['parking', 'barking', true],
    ['helicopter', 'hours', false],
  ];
  for (const [asked, known, isAlike] of cases)
    it(`${asked} ${isAlike ? 'may stand for' : 'is not'} ${known}`, () => assert.equal(likenessOf(asked, known).likeness > 0, isAlike));

  it('counts exchanged letters as one', () => {
    assert.deepEqual([editDistance('huors', 'hours', 2), editDistance('a', 'abcd', 2), editDistance('same', 'same', 2)], [1, 3, 0]);
  });
});

describe('the plan of a search', () => {
  it('prefers a word to its misspellings, and a rare word to a common one', () => {
    const plan = planSearch(
      ['parking', 'dentist'],
      [
        { n: 0, word: 'parking', passages: 2 },
        { n: 0, word: 'barking', passages: 5 },
        { n: 1, word: 'dentist', passages: 90 },
      ],
      100,
    );
    assert.deepEqual(
      plan?.terms.map(({ word }) => word),
      ['parking', 'dentist'],
    );
    const [rare, common] = plan?.terms ?? [];
    assert.ok((rare?.weight ?? 0) > 5 * (common?.weight ?? 1));
  });

  it('is none when the knowledge has no such word', () => {
    assert.equal(planSearch(['helicopter'], [{ n: 0, word: 'hours', passages: 3 }], 10), null);
    assert.equal(planSearch([], [], 0), null);
  });

  it('asks for two words at once where even the rarest is everywhere', () => {
    const known = [
      { n: 0, word: 'roof', passages: 5_000 },
      { n: 1, word: 'repair', passages: 6_000 },
    ];
    assert.equal(planSearch(['roof', 'repair'], known, 10_000)?.candidates, "('roof') & ('repair')");
  });

  it('finds nothing in passages that share only what most of them have', () => {
    const passage = (score: number) => ({ score, density: 1 });
    assert.deepEqual(rankPassages([passage(0.1)], { fullScore: 1.7 }, 5), []);
    assert.equal(rankPassages([passage(1), passage(0.9), passage(0.3)], { fullScore: 1.7 }, 5).length, 2);
  });
});

describe('a text file', () => {
  const text = 'Größe: 10 €, naïve – ok.\n'.repeat(40);
  const windows = Buffer.from(text.replace('€', '\x80').replaceAll('€', '\x80').replaceAll('–', '\x96'), 'latin1');
  for (const [name, bytes] of [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 of the other order', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
    ['Windows-1252', windows],
  ] as const)
    it(`in ${name} is read as it was written`, () => assert.equal(decodeText(bytes)?.trim(), text.trim()));

  it('is distinguished from pictures, archives and programs', () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex');
    const zip = Buffer.concat([Buffer.from('PK\x03\x04\x14\x00\x00\x00\x08\x00', 'latin1'), Buffer.alloc(64)]);
    assert.deepEqual([looksLikeText(png), looksLikeText(zip), looksLikeText(Buffer.from('hello'))], [false, false, true]);
    assert.deepEqual(
      [knowledgeTypeOf(Buffer.from('%PDF-1.7 '), 'a.txt'), knowledgeTypeOf(Buffer.from('# Hi'), 'a.MD'), knowledgeTypeOf(zip, 'a.txt')],
      ['application/pdf', 'text/markdown', null],
    );
  });

  it('has its name without folders and ending as title', () => {
    assert.deepEqual([titleOf('../x/Price list 2026.pdf'), titleOf('.pdf'), titleOf('C:\\a\\b.txt')], ['Price list 2026', 'File', 'b']);
  });
});

describe('a business profile', () => {
  it('becomes a passage per fact, under the headings and labels of its language', () => {
    const headings = {
      hours: 'Zeiten',
      address: 'Adresse',
      contact: 'Kontakt',
      booking: 'Termin',
      reviews: 'Bewertungen',
      questions: 'Fragen',
    };
    const words = {
      headingOf: (section: keyof typeof headings): string => headings[section],
      contactOf: 'So erreichen Sie Oak.',
      phone: 'Telefon',
      mail: 'E-Mail',
      website: 'Website',
      bookingLink: 'Link',
      reviewLink: 'Bewerten',
    };
    const businessProfile = { hours: 'Mo-Fr 9-17', faqText: 'Do you take cards?\nYes.', bookingUrl: 'https://book.example' };
    const text = profileText({ name: 'Oak', phone: '+1 312', website: null, contactEmail: null, businessProfile }, words);
    assert.deepEqual(cutPassages(text), [
      { heading: 'Zeiten', content: 'Mo-Fr 9-17' },
      { heading: 'Kontakt', content: 'So erreichen Sie Oak.\nTelefon: +1 312' },
      { heading: 'Termin', content: 'Link: https://book.example' },
      { heading: 'Fragen', content: 'Do you take cards?\nYes.' },
    ]);
    assert.equal(profileText({ name: 'Oak', phone: null, website: null, contactEmail: null, businessProfile: {} }, words), '');
  });
});
