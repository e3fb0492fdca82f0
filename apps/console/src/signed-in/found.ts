import type { components } from '@canvass/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { get } from './api';

export type Found = components['schemas']['SearchResult']['items'][number];

/** Milliseconds between the last key and the search for records. */
const pause = 200;
/** Characters that a search needs. */
const minCharacters = 3;

/** Records that have what was typed as their id, or within their name. */
export function useFound(typed: string): readonly Found[] {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useQuery({
    queryKey: ['search', asked],
    enabled: asked.length >= minCharacters,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get('/api/search', { query: { q: asked } }, signal),
  });
  return asked.length >= minCharacters ? (found.data?.items ?? []) : [];
}
