/** The secret that is shown once, in the place of the screen and of all that is drawn over that. */
import {SecretDialog} from '../ui/secret-dialog.tsx';
import {useStore} from '../ui/use-store.ts';
import {useServices, useTerminal} from '../services/services.tsx';
import type {SecretOnScreen} from '../services/shown-secrets.ts';
import type {Size} from '../terminal/terminal.ts';

export function useShownSecret(): SecretOnScreen | undefined {
	const {shown} = useTerminal().secrets;
	return useStore(shown);
}

export function SecretOver({secret, size}: {readonly secret: SecretOnScreen; readonly size: Size}) {
	const {theme} = useServices();
	return <SecretDialog {...secret} theme={theme} size={size} />;
}
