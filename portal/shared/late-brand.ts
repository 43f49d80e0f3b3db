import { type CSSProperties, useEffect, useState } from 'react';

/** Returns the CSS variables of an agency's colour once the colour library has loaded, which a page of agencies does not wait for; none until then, or without a colour. */
export function useLateBrand(hex: string | null): CSSProperties {
  const [known, setKnown] = useState<{ hex: string; tokens: CSSProperties }>();
  useEffect(() => {
    if (hex === null) return;
    let isGone = false;
    import('./brand.ts').then(
      ({ brandTokens }) => {
        if (!isGone) setKnown({ hex, tokens: brandTokens(hex) });
      },
      // The mark keeps the colour that it has without.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [hex]);
  return known !== undefined && known.hex === hex ? known.tokens : {};
}
