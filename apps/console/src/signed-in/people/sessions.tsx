import { Badge, Button, Panel, State, Table, type Column } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { FaultNotice, useChange } from '../action';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { column, foreignColumn, timeColumn } from '../columns';
import styles from './people.module.css';
import { usePeopleTexts } from './texts';

interface Session {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  clientNetwork: string | null;
  userAgent: string | null;
  isCurrent: boolean;
}

/** The sessions of a user, or the own ones without an id. One or all can be ended. */
export function SessionsPanel({ userId }: { userId?: string }) {
  const texts = usePeopleTexts();
  const key = ['sessions', userId ?? 'own'];
  const query = { limit: 100 };
  const sessions = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Session[]> => {
      const { items } = await dataOf(
        userId === undefined
          ? api.GET('/api/auth/sessions', { params: { query }, signal })
          : api.GET('/api/users/{id}/sessions', { params: { path: { id: userId }, query }, signal }),
      );
      return items;
    },
  });
  const end = useChange([key], async (sessionId: string) => {
    if (userId === undefined) {
      await api.DELETE('/api/auth/sessions/{sessionId}', { params: { path: { sessionId } } });
    } else {
      const path = { id: userId, sessionId };
      await api.DELETE('/api/users/{id}/sessions/{sessionId}', { params: { path } });
    }
  });
  const endAll = useChange([key], async () => {
    if (userId === undefined) await api.DELETE('/api/auth/sessions');
    else await api.DELETE('/api/users/{id}/sessions', { params: { path: { id: userId } } });
  });
  const columns: Column<Session>[] = [
    timeColumn('started', texts.started, ({ createdAt }) => createdAt),
    timeColumn('used', texts.lastUsed, ({ lastUsedAt }) => lastUsedAt),
    column('network', texts.network, ({ clientNetwork }) => clientNetwork ?? '–'),
    foreignColumn('browser', texts.browser, ({ userAgent }) => userAgent),
    column('end', texts.endSession, ({ id, isCurrent }) =>
      isCurrent ? (
        <Badge tone="good">{texts.thisSession}</Badge>
      ) : (
        <Button onClick={() => void end.run(id)} disabled={end.isBusy}>
          {texts.endSession}
        </Button>
      ),
    ),
  ];
  return (
    <Panel
      title={texts.sessions}
      busy={sessions.isFetching}
      tools={
        <Button onClick={() => void endAll.run()} disabled={endAll.isBusy}>
          {userId === undefined ? texts.endOtherSessions : texts.endAllSessions}
        </Button>
      }
    >
      <div className={styles.faults}>
        <FaultNotice fault={end.fault ?? endAll.fault} />
      </div>
      <Answer query={sessions} operation={userId === undefined ? 'listOwnSessions' : 'listUserSessions'}>
        {(items) =>
          items.length === 0 ? (
            <State title={texts.noSessions}>{texts.noSessionsHint}</State>
          ) : (
            <Table label={texts.sessions} columns={columns} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Answer>
    </Panel>
  );
}
