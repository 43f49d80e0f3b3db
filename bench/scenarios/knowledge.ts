import { performance } from 'node:perf_hooks';
import { searchVector } from '@partner-portal/core/knowledge/search-vector.ts';
import { findPassages, refreshKnowledgeWords } from '@partner-portal/service/modules/3-product/chatbot/index.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase, type Database } from '@partner-portal/service/platform/db/tx.ts';
import { costsSince, readCosts } from '../support/cpu.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import { summarise } from '../support/measure.ts';

const PASSAGES = 10_000;
/** Others with as many, of whom a search should read nothing. */
const OTHERS = 1;
const WORDS = 20_000;
const WORDS_PER_PASSAGE = 160;
const SEARCHES = 60;
const WARM = 20;
const TARGET_MS = 10;

type Chatbot = { id: string; partnerId: string; clientId: string };

/** A search over the 10⁴ passages of a chatbot, next to other chatbots of the same size. Target: at most 10 ms. */
export async function benchKnowledge(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  await seedWorkflows(database, OTHERS + 1, 1);
  const random = createRandom(7);
  const vocabulary = Array.from({ length: WORDS }, () => wordOf(random));
  const pool = createPool(database.addressOf('portal_service'), { name: 'bench', max: 2 });
  const db = createDatabase(pool);
  const clients = await database.admin<{ id: string; partner_id: string }>(
    'select distinct on (partner_id) id, partner_id from client order by partner_id, id',
  );
  const filledFrom = performance.now();
  const chatbots: Chatbot[] = [];
  for (const client of clients.slice(0, OTHERS + 1)) chatbots.push(await fill(database, db, client, random, vocabulary));
  say(`${chatbots.length} chatbots of ${PASSAGES} passages filled in ${((performance.now() - filledFrom) / 1000).toFixed(0)} s`);
  await database.admin('vacuum analyze');
  const [chatbot] = chatbots;
  if (!chatbot) throw new Error('The clients were not seeded.');
  const rare = vocabulary.slice(WORDS / 2);
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
  const questions: [string, () => string][] = [
    ['three rare words', () => `${pick(rare)} ${pick(rare)} ${pick(rare)}`],
    ['one of the most frequent words', () => pick(vocabulary.slice(0, 5))],
    ['two frequent words', () => `${pick(vocabulary.slice(0, 50))} ${pick(vocabulary.slice(0, 50))}`],
    ['three misspelt words', () => `${misspelt(pick(rare))} ${misspelt(pick(rare))} ${misspelt(pick(rare))}`],
    ['a question of 15 words', () => Array.from({ length: 15 }, () => pick(vocabulary)).join(' ')],
    [
      'a message of six sentences',
      () => Array.from({ length: 6 }, () => `${Array.from({ length: 8 }, () => pick(vocabulary)).join(' ')}.`).join(' '),
    ],
    ['words that are not known', () => 'qqxjzk vvwqxx'],
  ];
  for (const [name, ask] of questions) {
    const latencies: number[] = [];
    let found = 0;
    const costs = readCosts({ database: database.pid() });
    for (let n = 0; n < SEARCHES; n += 1) {
      const question = ask();
      await db.asTenant({ kind: 'tenant', partnerId: chatbot.partnerId, clientId: chatbot.clientId }, async (tx) => {
        // The transaction itself is not part of a search.
        await tx.selectFrom('chatbot').select('id').where('id', '=', chatbot.id).execute();
        const beganAt = performance.now();
        found += (await findPassages(tx, chatbot.id, [question])).length;
        if (n >= WARM) latencies.push(performance.now() - beganAt);
      });
    }
    const { p50, p95 } = summarise(latencies);
    const spent = costsSince(costs, readCosts({ database: database.pid() }), SEARCHES)['database'] ?? 0;
    say(
      `${name.padEnd(31)} p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, ${(spent / 1_000).toFixed(1)} ms of a processor, ${(found / SEARCHES).toFixed(1)} passages (target: ${TARGET_MS} ms or less)`,
    );
  }
  const scans = await database.admin<{ relname: string; seq_scan: string; idx_scan: string }>(
    `select relname, seq_scan, idx_scan from pg_stat_user_tables where relname in ('knowledge_passage', 'knowledge_word')`,
  );
  for (const { relname, seq_scan: whole, idx_scan: byIndex } of scans)
    say(`${relname}: ${byIndex} reads by index, ${whole} of the whole table`);
  await pool.end();
}

async function fill(
  database: BenchDatabase,
  db: Database,
  client: { id: string; partner_id: string },
  random: () => number,
  vocabulary: readonly string[],
): Promise<Chatbot> {
  const owner = { partnerId: client.partner_id, clientId: client.id };
  const [row] = await database.admin<{ id: string; document: string }>(
    `with bot as (insert into chatbot (partner_id, client_id, is_active, name, greeting, provider, model) values ($1, $2, true, 'a', 'b', 'openai', 'm') returning id)
     , document as (insert into knowledge_document (partner_id, client_id, chatbot_id, kind, title, status, passages) select $1, $2, id, 'text', 'Information', 'ready', $3 from bot returning id)
     select bot.id, document.id as document from bot, document`,
    [owner.partnerId, owner.clientId, PASSAGES],
  );
  if (!row) throw new Error('A chatbot was not seeded.');
  const passages = Array.from({ length: PASSAGES }, () => {
    const words = Array.from({ length: WORDS_PER_PASSAGE }, () => zipf(random, vocabulary));
    const content = `${words.join(' ')}.`;
    return { content, search: searchVector({ title: 'Information', heading: '', content }) };
  });
  for (let n = 0; n < PASSAGES; n += 1_000) {
    const part = passages.slice(n, n + 1_000);
    await database.admin(
      `insert into knowledge_passage (partner_id, client_id, chatbot_id, document_id, n, content, search)
       select $1, $2, $3, $4, $5 + p.n, p.content, p.search::tsvector from unnest($6::text[], $7::text[]) with ordinality as p (content, search, n)`,
      [owner.partnerId, owner.clientId, row.id, row.document, n, part.map(({ content }) => content), part.map(({ search }) => search)],
    );
  }
  await db.asTenant({ kind: 'tenant', ...owner }, (tx) => refreshKnowledgeWords(tx, { id: row.id, ...owner }));
  return { id: row.id, ...owner };
}

/** The n-th word of a language is about as frequent as 1/n. */
function zipf(random: () => number, vocabulary: readonly string[]): string {
  return vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? '';
}

const SYLLABLES = [
  'ba',
  'den',
  'kor',
  'li',
  'mas',
  'no',
  'per',
  'ri',
  'sol',
  'ta',
  'ver',
  'wen',
  'zu',
  'gra',
  'hos',
  'tin',
  'ple',
  'qua',
  'sto',
  'mer',
];

function wordOf(random: () => number): string {
  return Array.from({ length: 2 + Math.floor(random() * 3) }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? '').join('');
}

/** Two letters exchanged. */
function misspelt(word: string): string {
  return `${word.slice(0, 2)}${word.slice(3, 4)}${word.slice(2, 3)}${word.slice(4)}`;
}

/** The same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
