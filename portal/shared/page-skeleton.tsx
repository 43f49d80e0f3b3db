import type { ReactNode } from 'react';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { PageHeader } from '../ui/layout/layout.tsx';

/** A page while its route loads: its title, and skeleton rows or `children`. */
export function PageSkeleton({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <>
      <PageHeader title={title} meta=" " />
      {children ?? <SkeletonRows />}
    </>
  );
}
