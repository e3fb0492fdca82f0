import { Badge, Panel, Table, type Column } from '@canvass/console-ui';
import type { ServiceCheck } from '../api';
import { usePreferences, useTexts } from '../i18n';
import { Answer } from './answer';
import { column, numberColumn } from './columns';
import { FailedChecks } from './failed-checks';
import { useFormats } from './formats';
import { tones, useHealth } from './health';
import { saidIn } from './health-texts';
import { Page } from './page';

/** All checks of the gateway: is it us or them? */
export default function HealthPage() {
  const texts = useTexts();
  const { duration } = useFormats();
  const { language } = usePreferences();
  const health = useHealth();
  const columns: Column<ServiceCheck>[] = [
    column('name', texts.check, ({ name }) => <strong>{name}</strong>),
    column('state', texts.state, ({ status }) => (
      <Badge tone={tones[status]}>{texts.healthNames[status]}</Badge>
    )),
    column('detail', texts.detail, (check) => (
      <>
        {saidIn(language, check.description ?? '–')}
        {check.status !== 'Healthy' && <FailedChecks of={check} />}
      </>
    )),
    numberColumn('duration', texts.duration, (check) => duration(millisecondsOf(check.duration))),
  ];
  return (
    <Page
      title={texts.health}
      lead={health.data ? texts.healthSentences[health.data.status] : texts.healthLead}
    >
      <Panel
        title={texts.checks}
        tools={
          health.data && (
            <Badge tone={tones[health.data.status]}>{texts.healthNames[health.data.status]}</Badge>
          )
        }
      >
        <Answer query={health} operation="getHealthDetail">
          {(report) => (
            <Table label={texts.checks} columns={columns} rows={report.checks} keyOf={({ name }) => name} />
          )}
        </Answer>
      </Panel>
    </Page>
  );
}

/** Milliseconds of `00:00:00.0123456`. */
function millisecondsOf(span: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = span.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
