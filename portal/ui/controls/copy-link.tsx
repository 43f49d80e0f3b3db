import { useEffect, useState } from 'react';
import { announceFailure } from '../feedback/announce.ts';
import { uiText, useUiText } from '../text/reader.ts';

/** Copies `text` as a text link, and shows "Copied" for two seconds. */
export function CopyLink({ text, label = uiText('ui.copy') }: { text: string; label?: string }) {
  const t = useUiText();
  const [isCopied, copy] = useCopy(text);
  return (
    <button type="button" className="link" onClick={copy}>
      {isCopied ? t('ui.copied') : label}
    </button>
  );
}

/** Returns whether `text` was copied in the last two seconds, and what copies it. */
export function useCopy(text: string): [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return [isCopied, () => void copyText(text).then(setCopied)];
}

/** Copies `text` and returns whether it could; a browser that refuses, or a page without TLS, cannot. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    announceFailure({ title: uiText('ui.copyFailed'), detail: '', requestId: undefined, retry: undefined });
    return false;
  }
}
