/** Error boundary: a part of the page that throws shows one sentence, and the rest stays. */
import { Component, type ComponentChildren } from 'preact';
import { useUi } from './context';

interface Props {
  children: ComponentChildren;
  /** When this changes, the part is tried again. */
  retryOn?: unknown;
}

export class Boundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    // The console is where a person who reports this looks for the stack.
    console.error(error);
  }

  override componentDidUpdate(previous: Readonly<Props>) {
    if (previous.retryOn !== this.props.retryOn && this.state.error !== null) this.setState({ error: null });
  }

  override render() {
    return this.state.error === null ? this.props.children : <Crashed error={this.state.error} />;
  }
}

function Crashed({ error }: { error: unknown }) {
  const { tr } = useUi();
  const detail = error instanceof Error ? error.message : String(error);
  return (
    <p class="message message-error" role="alert">
      {tr('app.crashed', { detail })}
    </p>
  );
}
