import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export const TooltipProvider = Radix.Provider;

/** Shows `text` on hover and on focus. Used for icons in the slim rail, full names and the reason of a disabled control. */
export function Tooltip({ text, side = 'top', children }: { text: ReactNode; side?: 'top' | 'right' | 'bottom' | 'left'; children: ReactNode }) {
  if (!text) return children;
  return (
    <Radix.Root delayDuration={250}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content side={side} sideOffset={6} collisionPadding={8} className="tip">
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
