const KEY = 'portal.reloaded';

/** Whether a script of the page did not arrive: the line is bad, or after a new release the file is gone. Each browser words it its own way. */
export function isFileMissing(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message);
}

/** Reloads the page, once in a tab for each error. Returns whether it does. */
export function reloadOnce(error: unknown): boolean {
  try {
    const known = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as string[]; // written just below
    if (known.includes(String(error))) return false;
    sessionStorage.setItem(KEY, JSON.stringify([...known, String(error)]));
  } catch {
    // Without storage it might reload for ever.
    return false;
  }
  location.reload();
  return true;
}
