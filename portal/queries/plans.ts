import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type Plan = Reply<'listPlans'>[number];
/** A plan as staff see it, retired ones included, with the number of agencies subscribed to it. */
export type StaffPlan = Reply<'listAllPlans'>[number];
export type PlanRequest = Reply<'getPlanRequest'>;

/** Plans that anyone can choose. */
export const plansQuery = queryOptions({
  queryKey: keys.plans.public,
  queryFn: ({ signal }) => api.listPlans({ signal }),
  staleTime: 300_000,
  retry: false,
});

export const allPlansQuery = queryOptions({
  queryKey: keys.plans.staff,
  queryFn: ({ signal }) => api.listAllPlans({ signal }),
  staleTime: 30_000,
});

/** The newest plan request of the agency, or null. */
export const lastRequestQuery = queryOptions({
  queryKey: keys.planRequests.last,
  queryFn: ({ signal }) => api.listPlanRequests({ query: { limit: 1 }, signal }).then(({ data }) => data[0] ?? null),
});
