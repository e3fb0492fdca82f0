import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fault } from '../../api';
import { useFaultText } from '../../fault-text';
import { useEndpointTexts } from './endpoint-texts';

/** A change of an endpoint. What the page shows of it is read again, also after a refusal. */
export function useEndpointChange<T = void>(endpointId: string, run: (input: T) => Promise<unknown>) {
  const { ofFault } = useFaultText();
  const own = useEndpointTexts();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: run,
    onSettled: () =>
      Promise.all(
        [['endpoint', endpointId], ['endpoints'], ['backlog']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
  const { error } = change;
  const isOutdated = error instanceof Fault && error.status === 412;
  const refusal = error === null ? null : isOutdated ? own.changedMeanwhile : ofFault(error);
  return { ...change, refusal };
}
