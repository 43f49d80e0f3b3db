// Before the first paint, so a pinned theme never flashes. The page allows no inline script.
try {
  const theme = localStorage.getItem('portal.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  // Who is logged in leaves the landing page.
  if (location.pathname === '/' && sessionStorage.getItem('portal.session')) document.documentElement.dataset.leaving = '';
} catch {
  // Storage can be forbidden; the system's theme is then right.
}
// Selects the placeholder in index.html to show until the page is loaded (ui/layout/boot.tsx).
const [, area] = location.pathname.split('/');
const faces = { dashboard: 'work', admin: 'work', client: 'client' };
for (const alone of ['login', 'signup', 'invite', 'forgot-password', 'reset-password', 'unsubscribe', 'confirm-newsletter'])
  faces[alone] = 'login';
document.documentElement.dataset.face = faces[area] ?? '';
// The application comes as HTML that does not know its address.
if (area === 'signup' && new URLSearchParams(location.search).get('trial') === 'true') document.documentElement.dataset.trial = '';
// The first formatter takes tens of milliseconds: a worker creates it while scripts load.
try {
  const address = '/intl-worker.js';
  // Under Trusted Types, a worker needs an address that a policy of the page allows: only this one.
  const policy = globalThis.trustedTypes?.createPolicy('portal', { createScriptURL: () => address });
  new Worker(policy?.createScriptURL('') ?? address);
} catch {
  // A browser without workers makes it later.
}
