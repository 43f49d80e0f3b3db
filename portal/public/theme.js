// Before the first paint, so a pinned theme never flashes. The page allows no inline script.
try {
  const theme = localStorage.getItem('portal.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (location.pathname === '/' && sessionStorage.getItem('portal.session')) document.documentElement.dataset.leaving = '';
} catch {
  // Without storage, the system's theme is right.
}
// The placeholder until the page is loaded (ui/layout/boot.tsx).
const [, area] = location.pathname.split('/');
const faces = { dashboard: 'work', admin: 'work', client: 'client' };
for (const alone of ['login', 'signup', 'invite', 'forgot-password', 'reset-password', 'unsubscribe', 'confirm-newsletter'])
  faces[alone] = 'login';
document.documentElement.dataset.face = faces[area] ?? '';
if (area === 'signup' && new URLSearchParams(location.search).get('trial') === 'true') document.documentElement.dataset.trial = '';
// The first formatter takes tens of milliseconds: a worker creates it while scripts load.
try {
  const address = '/intl-worker.js';
  // Trusted Types allow workers by a policy.
  const policy = globalThis.trustedTypes?.createPolicy('portal', { createScriptURL: () => address });
  new Worker(policy?.createScriptURL('') ?? address);
} catch {
  // It is made later.
}
