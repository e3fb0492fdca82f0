import { State } from '@canvass/console-ui';
import { Component, type ReactNode } from 'react';
import { useTexts } from '../i18n';

/** Keeps an error of one part of the page from ending the others. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <Broken error={this.state.error} />;
  }
}

function Broken({ error }: { error: Error }) {
  const texts = useTexts();
  return (
    <State tone="bad" title={texts.brokenTitle} actions={<code>{error.message}</code>}>
      {texts.brokenText}
    </State>
  );
}
