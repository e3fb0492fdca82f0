import type { components } from '@canvass/client';
import { Badge, Button, ForeignText, Panel, State, Table, type Column } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { FaultNotice, useChange } from '../action';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { column, timeColumn } from '../columns';
import { browserOf } from './browser';
import styles from './people.module.css';
import { usePeopleTexts } from './texts';

type Session = components['schemas']['UserSession'];

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
  const end = useChange([key], (sessionId: string) =>
    userId === undefined
      ? api.DELETE('/api/auth/sessions/{sessionId}', { params: { path: { sessionId } } })
      : api.DELETE('/api/users/{id}/sessions/{sessionId}', { params: { path: { id: userId, sessionId } } }),
  );
  const endAll = useChange([key], () =>
    userId === undefined
      ? api.DELETE('/api/auth/sessions')
      : api.DELETE('/api/users/{id}/sessions', { params: { path: { id: userId } } }),
  );
  const columns: Column<Session>[] = [
    timeColumn('started', texts.started, ({ createdAt }) => createdAt),
    timeColumn('used', texts.lastUsed, ({ lastUsedAt }) => lastUsedAt),
    column('network', texts.network, ({ clientNetwork }) => clientNetwork ?? '–'),
    column('browser', texts.browser, ({ userAgent }) => <Browser userAgent={userAgent ?? '–'} />),
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
        sessions.data?.some(({ isCurrent }) => !isCurrent) && (
          <Button onClick={() => void endAll.run()} disabled={endAll.isBusy}>
            {userId === undefined ? texts.endOtherSessions : texts.endAllSessions}
          </Button>
        )
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

/** The browser and the system in words; what one says of another program is shown as it is. */
function Browser({ userAgent }: { userAgent: string }) {
  const { browserOn } = usePeopleTexts();
  const known = browserOf(userAgent);
  if (known === null) return <ForeignText isCut>{userAgent}</ForeignText>;
  return <span title={userAgent}>{browserOn(...known)}</span>;
}
