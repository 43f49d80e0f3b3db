import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import { createRunner } from '#platform/jobs/runner.ts';
import { chatbot, type Chatbot, type FoundPassage } from '../index.ts';

let service: TestService;
let bots: Chatbot;
let chatbotId: string;
before(async () => {
  service = await startTestService({
    modules: (platform) => {
      bots = chatbot({ ...platform, publicBaseUrl: platform.baseUrl });
      return [bots];
    },
  });
  chatbotId = await withText(KNOWLEDGE);
});
after(() => service.close());

/** A chatbot that knows this text. */
async function withText(knowledgeText: string): Promise<string> {
  const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'Searched'));
  const { body, status, text } = await service.call('PATCH', '/chatbot/settings', { as: 'owner', body: { clientId, knowledgeText } });
  assert.equal(status, 200, text);
  const runner = createRunner({ address: service.database.configFor('portal_queue'), jobs: bots.jobs, crons: [], log: service.log });
  await runner.drain();
  return body.id;
}
const ask = (question: string | readonly string[], id = chatbotId, max = 5): Promise<FoundPassage[]> =>
  service.db.asTenant({ kind: 'tenant', partnerId: service.world.partnerId, clientId: null }, (tx) =>
    bots.findPassages(tx, id, typeof question === 'string' ? [question] : question, max),
  );

const KNOWLEDGE = `# Opening hours

The dental practice is open Monday to Friday from 9:00 to 17:00. On Saturday the dental practice is open until noon.

# Prices

A cleaning at the dental practice costs 80 dollars. Whitening costs 250 dollars. Children under twelve pay half.

# Parking

There is a free car park behind the practice. The dental practice has two places for wheelchairs.

# Emergencies

When a tooth is broken or bleeding, call the dental practice at once; outside of hours an answering service takes your number.

# Insurance

We accept Delta, Cigna and Aetna. Without insurance you can pay in instalments at the dental practice.

# Öffnungszeiten

Die Zahnarztpraxis hat von Montag bis Freitag geöffnet. Kundenparkplätze finden Sie hinter dem Haus.

# Assurance

Le cabinet accepte la carte vitale et les mutuelles. Stationnement gratuit derrière le bâtiment.

# Urgencias

Si tiene un dolor de muelas fuerte, llame a la clínica enseguida.

# 営業時間

月曜日から金曜日まで診療しています。駐車場は裏にあります。`;

describe('a search', () => {
  const cases: [question: string, heading: string][] = [
    ['What are your opening hours?', 'Opening hours'],
    ['are you open on saturday', 'Opening hours'],
    ['How much does a whitening cost?', 'Prices'],
    ['whats the prize of a cleening', 'Prices'],
    ['do kids children pay less', 'Prices'],
    ['Where can I park my car?', 'Parking'],
    ['wheelchair acess', 'Parking'],
    ['my toth is brokn', 'Emergencies'],
    ['Hi there, I was wondering whether you would accept aetna since my employer changed it last month', 'Insurance'],
    ['insurence', 'Insurance'],
    ['Wann haben Sie geoeffnet? Öffnungszeit?', 'Öffnungszeiten'],
    ['Gibt es Parkplätze?', 'Öffnungszeiten'],
    ['Acceptez-vous la carte vitale ?', 'Assurance'],
    ['stationement gratuit', 'Assurance'],
    ['me duelen las muelas, ¿puedo llamar a la clinica?', 'Urgencias'],
    ['駐車場はありますか', '営業時間'],
  ];
  it('finds the passage that answers, in any language and with mistakes', async () => {
    const found = await Promise.all(cases.map(async ([question]) => [question, (await ask(question))[0]?.heading]));
    assert.deepEqual(found, cases);
  });

  const inContext: [text: string, heading: string][] = [
    ['Hello, my sister recommended you. My wedding is in June and I drink lots of coffee. How much is a whitening?', 'Prices'],
    [
      'Good morning, we moved here from Denver last spring with our twin boys, who hate going anywhere new. Do you take Cigna?',
      'Insurance',
    ],
    ['Guten Tag, meine Schwester hat Sie empfohlen. Wir sind letztes Jahr hergezogen. Do you take Cigna?', 'Insurance'],
    ['Are you open on Saturday? I chipped something playing hockey yesterday evening with my colleagues, it looks ugly.', 'Opening hours'],
    [`${Array.from({ length: 40 }, (_, n) => `story${n}`).join(' ')}. How much is a whitening?`, 'Prices'],
    ['hi, i moved here from denver\nlast spring with our twin boys who hate everything new\nwheelchair access', 'Parking'],
  ];
  it('finds it for a question among sentences that say nothing of it', async () => {
    const found = await Promise.all(inContext.map(async ([text]) => [text, (await ask(text))[0]?.heading]));
    assert.deepEqual(found, inContext);
  });

  it('of several texts finds what each of them asks, and takes no more statements for them', async () => {
    const texts = ['Where can I park my car?', 'Do you take Cigna?', 'And how much is a whitening?'];
    let count = 0;
    const stop = service.db.onStatement(({ name }) => void (name?.startsWith('knowledge_') && (count += 1)));
    const found = await ask(texts);
    stop();
    const headings = new Set(found.map(({ heading }) => heading));
    assert.ok(headings.isSupersetOf(new Set(['Insurance', 'Parking', 'Prices'])), [...headings].join(', '));
    assert.equal(count, 3);
  });

  it('finds nothing for what is not known', async () => {
    for (const question of [
      'How are you? Nice weather.',
      'I am at the dental practice. Do you sell helicopters, zeppelins, yachts or submarines?',
      'Who won the world cup?',
      'Do you sell helicopters?',
      'hello',
      'thanks, bye!',
      'How are you?',
      'asdfghjkl',
      'Quelle est la capitale?',
      '???',
      "'; drop table knowledge_passage; --",
      'a | b & !c <-> (d:*',
      '\\',
    ])
      assert.deepEqual(await ask(question), [], question);
  });

  it('returns the best first, and no more than asked for', async () => {
    const found = await ask('hours of the dental practice', chatbotId, 2);
    assert.equal(found.length, 2);
    const [first, second] = found;
    assert.equal(first?.heading, 'Opening hours');
    assert.ok((first?.rank ?? 0) > (second?.rank ?? 1) && (first?.rank ?? 2) <= 1);
  });

  it('of a text of one passage finds it by any of its words', async () => {
    const id = await withText('We repair bicycles in Lisbon.');
    assert.equal((await ask('bicycle repair', id)).length, 1);
    assert.equal((await ask('Lisbon?', id)).length, 1);
    assert.equal((await ask('pizza', id)).length, 0);
  });

  it('finds a word that questions often have for nothing where it is what the question is about', async () => {
    const id = await withText(
      '# Wills\n\nA notary signs your will.\n\n# Vans\n\nA van costs 80 dollars a day.\n\n# Boats\n\nWe rent boats.',
    );
    const headings = (question: string): Promise<string[]> => ask(question, id).then((found) => found.map(({ heading }) => heading));
    assert.deepEqual(await headings('I need a will'), ['Wills']);
    assert.deepEqual(await headings('Do you have a van?'), ['Vans']);
    assert.deepEqual(await headings('How are you?'), []);
  });

  it('of very long and strange questions ends', async () => {
    await ask(`${'word '.repeat(400)}`);
    await ask('𝕳'.repeat(1_000));
    await ask(Array.from({ length: 300 }, (_, n) => `opening${n} hours`).join(' '));
  });
});
