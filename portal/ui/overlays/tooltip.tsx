import { Tooltip as Radix } from 'radix-ui';
import { type FocusEvent, type MouseEvent, type ReactNode, useState } from 'react';
import { useDialogHost } from './dialog-host.ts';
import './tooltip.css';

export const TooltipProvider = Radix.Provider;

/**
 * Shows `text` on hover and on focus: names of icons, full texts, and why a control is disabled. While the control keeps the focus
 * the text stays, however the page scrolls or changes; Escape and a click hide it. Without text it renders the control alone, which
 * stays the same element when a text comes or goes.
 */
export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  text: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactNode;
}) {
  const [host, ref] = useDialogHost();
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const dismiss = (): void => setFocused(false);
  const showOnFocus = (event: FocusEvent<HTMLElement>): void => {
    // Radix would open it as if hovered, and close it at the first scrolling: the focus itself may cause one, or content that comes late.
    event.preventDefault();
    // A click triggers the control, not a tooltip.
    if (!event.currentTarget.matches(':active')) setFocused(true);
  };
  // A disabled control answers a click with its reason.
  const showWhyOff = ({ currentTarget }: MouseEvent<HTMLElement>): void =>
    setFocused(Boolean(text) && currentTarget.ariaDisabled === 'true');
  return (
    <Radix.Root delayDuration={250} open={Boolean(text) && (isHovered || isFocused)} onOpenChange={setHovered}>
      <Radix.Trigger asChild ref={ref} onFocus={showOnFocus} onBlur={dismiss} onPointerDown={dismiss} onClick={showWhyOff}>
        {children}
      </Radix.Trigger>
      {/* Above a modal dialog only its own content is visible. */}
      <Radix.Portal container={host}>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          hideWhenDetached
          className="tooltip"
          onEscapeKeyDown={dismiss}
          onPointerDownOutside={dismiss}
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
