import { useCallback, useState } from 'react';

/**
 * Returns the modal dialog that holds a control, and the control's ref: what the control opens must be inside the dialog, which makes everything
 * else inert. The ref stays the same, so that no rendering detaches it.
 */
export function useDialogHost(): [HTMLElement | null, (control: HTMLElement | null) => void] {
  const [host, setHost] = useState<HTMLElement | null>(null);
  const ref = useCallback((control: HTMLElement | null): void => {
    if (control) setHost(control.closest('dialog'));
  }, []);
  return [host, ref];
}
