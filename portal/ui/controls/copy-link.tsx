import { useEffect, useState } from 'react';
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
  return [isCopied, () => void navigator.clipboard.writeText(text).then(() => setCopied(true))];
}
