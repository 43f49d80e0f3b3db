import { window } from './dom.ts';
import './modules.ts';
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { session as sessionSchema } from '@partner-portal/contract/records/user.ts';
import { nameComparedElements } from './compare-elements.ts';
import { idOf, sample } from './sample.ts';
import { type Answers, faults, reply, Service } from './service.ts';

// Only once the globals and the module hooks are there.
const [
  { configure, fireEvent, screen, waitFor, within },
  { default: userEvent },
  { render },
  { showPages },
  { queryClient },
  { setSession },
  { closeToast },
  { timeoutManager },
] = await Promise.all([
  import('@testing-library/dom'),
  import('@testing-library/user-event'),
  import('../render.tsx'),
  import('../pages-app.tsx'),
  import('../app/query-client.ts'),
  import('../app/session.ts'),
  import('../ui/feedback/announce.ts'),
  import('@tanstack/react-query'),
]);

const LONG_MS = 5_000;
// What the query client forgets after minutes keeps no test process alive.
timeoutManager.setTimeoutProvider({
  setTimeout: (act, ms) => setTimeout(act, ms).unref(),
  clearTimeout: (timer) => clearTimeout(timer),
  setInterval: (act, ms) => setInterval(act, ms).unref(),
  clearInterval: (timer) => clearInterval(timer),
});
// Nor does what a page does after seconds.
const start = globalThis.setTimeout;
globalThis.setTimeout = Object.assign((act: () => void, ms?: number, ...given: []) => {
  const timer = start(act, ms, ...given);
  return (ms ?? 0) < LONG_MS ? timer : timer.unref();
}, start);
nameComparedElements();
// No test here is about a time: waiting only ends what hangs. Without layout, everything counts as visible that is not removed.
configure({
  asyncUtilTimeout: 60_000,
  defaultHidden: true,
  getElementError: (message) =>
    new Error(
      `${message?.split('\n')[0] ?? ''} in: ${document.querySelector('main')?.textContent ?? ''} … ${openDialogs().at(-1)?.textContent ?? ''}`,
    ),
});

export { fireEvent, screen, waitFor, within };
export const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });

const PARTNER = {
  id: idOf(1),
  name: 'Northwind Digital',
  slug: 'northwind',
  timezone: 'America/Chicago' as string,
  status: 'active',
} as const;
const CLIENT = { id: idOf(2), name: 'Oak Street Dental' };
const features = { sso: true, chatbot: true, customTemplates: true, aiPlatformKeys: true, customDomain: true, auditRetentionDays: 365 };
const PEOPLE = {
  staff: { fullName: 'Sam Staff', role: 'ADMIN', partnerRole: null, clientId: null, client: null },
  owner: { fullName: 'Maya Lindqvist', role: 'PARTNER', partnerRole: 'admin', clientId: null, client: null },
  moderator: { fullName: 'Theo Brandt', role: 'PARTNER', partnerRole: 'moderator', clientId: null, client: null },
  client: { fullName: 'Ada Oak', role: 'CLIENT', partnerRole: null, clientId: CLIENT.id, client: CLIENT },
} as const;
export type Person = keyof typeof PEOPLE;

/** The session of a person. */
export function sessionOf(person: Person, included: Partial<typeof features> = {}) {
  const { user: plain } = sample(sessionSchema);
  const partner = { ...plain.partner, ...PARTNER };
  const email = `${person}@northwind.example`;
  const id = idOf(10 + Object.keys(PEOPLE).indexOf(person));
  const member = {
    ...plain,
    ...PEOPLE[person],
    id,
    email,
    partnerId: PARTNER.id,
    partner,
    features: { ...features, ...included },
    status: 'active' as const,
    locale: 'en',
    timezone: 'America/Chicago',
  };
  return { accessToken: `token-of-${person}`, expiresAt: new Date(Date.now() + 3_600_000).toISOString(), user: member };
}

/** Opens a page of the portal as a person, with the answers of the service that this test is about; returns the service. `included`: what its plan has; `of`: what differs of the person. */
export async function open(
  person: Person | undefined,
  path: string,
  answers: Answers = {},
  included: Partial<typeof features> = {},
  of: Partial<ReturnType<typeof sessionOf>['user']> = {},
): Promise<Service> {
  // Its heading would be taken for that of the next page.
  if (document.getElementById('root')?.firstChild) await close();
  const service = new Service();
  Object.assign(globalThis, { fetch: service.fetch });
  const session = person && sessionOf(person, included);
  if (session) Object.assign(session.user, of);
  if (session) {
    const { user: me } = session;
    service.answers.getMe = reply('getMe', {
      user: me,
      partner: me.partner,
      client: me.client,
      features: me.features,
      admins: ['Maya Lindqvist'],
    });
    service.answers.getMyPartner = reply('getMyPartner', { ...PARTNER });
  }
  Object.assign(service.answers, answers);
  setSession(session);
  history.replaceState(null, '', path);
  showPages();
  await screen.findByRole('heading', { level: 1 });
  return service;
}

/** Files that pages saved, newest last: a document of a browser would download them. */
export const savedFiles: { name: string; content: Blob }[] = [];
let saved = new Blob();
URL.createObjectURL = (content): string => {
  saved = content as Blob;
  return 'blob:saved';
};
HTMLAnchorElement.prototype.click = function click(this: HTMLAnchorElement): void {
  if (this.download === '') this.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  else savedFiles.push({ name: this.download, content: saved });
};

type Name = string | RegExp;
/** Finds a button, also one that shows as a link does, in the page or a part of it; one that opens a list by its label, which its value follows. */
export const button = (name: Name, part: HTMLElement = document.body): Promise<HTMLElement> =>
  within(part).findByRole('button', { name: typeof name === 'string' ? (full) => full === name || full.startsWith(`${name}: `) : name });
export const press = async (name: Name, part?: HTMLElement): Promise<void> => user.click(await button(name, part));
export const field = (label: Name, part: HTMLElement = document.body): Promise<HTMLInputElement> =>
  within(part).findByLabelText<HTMLInputElement>(label);

/** Replaces the text of a field, as a person does who selects and types. */
export async function fill(label: Name, text: string, part?: HTMLElement): Promise<HTMLInputElement> {
  const input = await field(label, part);
  await user.clear(input);
  if (text !== '') await user.type(input, text.replaceAll(/[{[]/g, '$&$&'));
  return input;
}

/** Opens the list of a select and chooses the option that begins with this text. */
export async function choose(list: Name, option: string, part?: HTMLElement): Promise<void> {
  await press(list, part);
  await user.click(await screen.findByRole('option', { name: (name) => name.startsWith(option) }));
}

function openDialogs(name?: Name): HTMLElement[] {
  const all = screen.queryAllByRole('dialog', name === undefined ? {} : { name });
  return all.filter((one) => one.localName !== 'dialog' || one.hasAttribute('open'));
}
/** Finds the dialog on top, or the one of this name. */
export const dialog = (name?: Name): Promise<HTMLElement> =>
  waitFor(() => openDialogs(name).at(-1) ?? assert.fail(`no dialog ${String(name ?? '')}`));
export const noDialog = (name?: Name): Promise<void> => waitFor(() => assert.equal(openDialogs(name).length, 0));
/** Waits until a text is on the page. */
export const see = (text: Name, part: HTMLElement = document.body): Promise<void> =>
  waitFor(() => assert.ok(within(part).queryAllByText(text).length > 0, `no text “${String(text)}” in: ${part.textContent.slice(0, 500)}`));
export const gone = (text: Name, part: HTMLElement = document.body): Promise<void> =>
  waitFor(() => assert.equal(within(part).queryAllByText(text).length, 0, `the text “${String(text)}” is still there`));
/** Waits until a part of the page contains a text, across its elements. */
export const reads = (part: HTMLElement, text: RegExp): Promise<void> => waitFor(() => assert.match(part.textContent, text));
export const isInactive = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';
export const isInvalid = (element: HTMLElement): boolean => element.getAttribute('aria-invalid') === 'true';
/** Waits until every answer that was asked for has arrived. */
export const settled = (): Promise<void> => waitFor(() => assert.equal(queryClient.isFetching() + queryClient.isMutating(), 0));
/** Waits until an assertion holds. */
export const holds = (assertion: () => void): Promise<void> => waitFor(assertion);
export const rows = (table: string): HTMLElement[] => {
  const found = screen.queryByRole('table', { name: table });
  return found ? [...found.querySelectorAll<HTMLElement>('[data-row]')] : [];
};

/** More than one test shows. */
const TOASTS_MAX = 1_000;

/** Leaves the page, as a reload does: what the device keeps stays. */
export async function close(): Promise<void> {
  render(null);
  await waitFor(() => assert.equal(document.getElementById('root')?.childElementCount, 0));
  for (let id = 0; id < TOASTS_MAX; id++) closeToast(id);
  queryClient.clear();
  setSession(undefined);
}

afterEach(async () => {
  await close();
  sessionStorage.clear();
  localStorage.clear();
  // A theme that was chosen is kept there and on the document.
  delete document.documentElement.dataset['theme'];
  await window.happyDOM.abort();
  savedFiles.length = 0;
  const [fault] = faults.splice(0);
  if (fault !== undefined) throw fault;
});
