import { useEffect, useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { slugIn } from '../../shared/sso-start.ts';

type Brand = NonNullable<Reply<'ssoBrand'>['brand']>;

/** Returns how the agency in the address looks on its login page; undefined without one, and while or unless it is known. */
export function useSignInBrand(agency: string | undefined): Brand | undefined {
  const slug = agency === undefined ? undefined : slugIn(agency);
  const [known, setKnown] = useState<{ slug: string; brand: Brand | undefined }>();
  useEffect(() => {
    if (!slug) return;
    const stop = new AbortController();
    api.ssoBrand({ params: { slug }, signal: stop.signal }).then(
      ({ brand }) => setKnown({ slug, brand: brand ?? undefined }),
      // The page works without it.
      () => undefined,
    );
    return () => stop.abort();
  }, [slug]);
  return known?.slug === slug ? known?.brand : undefined;
}
