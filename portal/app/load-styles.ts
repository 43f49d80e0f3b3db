let loading: Promise<void> | undefined;

/** Loads the whole stylesheet where the page came with a part of it: the login, which leads to pages that need the rest. */
export function loadStyles(): Promise<void> {
  const part = document.querySelector<HTMLLinkElement>('link[data-whole]');
  if (!part) return Promise.resolve();
  loading ??= new Promise<void>((resolve, reject) => {
    const whole = document.createElement('link');
    whole.rel = 'stylesheet';
    whole.href = part.dataset['whole'] ?? '';
    whole.addEventListener('load', () => resolve());
    whole.addEventListener('error', () => {
      // The next page tries again.
      loading = undefined;
      whole.remove();
      reject(new Error('The stylesheet did not load.'));
    });
    part.after(whole);
  });
  return loading;
}
