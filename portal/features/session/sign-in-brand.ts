import { useQuery } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';
import { slugIn } from '../../shared/sso.ts';

type Brand = NonNullable<Reply<'ssoBrand'>['brand']>;

/** Returns how the agency in the address looks on its sign-in page; undefined without one, and while or unless it is known. */
export function useSignInBrand(agency: string | undefined): Brand | undefined {
  const slug = agency === undefined ? undefined : slugIn(agency);
  const { data } = useQuery({
    queryKey: keys.signInBrand(slug ?? ''),
    queryFn: ({ signal }) => api.ssoBrand({ params: { slug: slug ?? '' }, signal }),
    enabled: Boolean(slug),
    staleTime: Infinity,
    retry: false,
  });
  return data?.brand ?? undefined;
}
