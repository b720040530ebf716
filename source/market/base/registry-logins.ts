/** Registry logins on their way to hosts, kept in memory alone and sent once. */

type RegistryLogin = {readonly username: string; readonly password: string};

export type RegistryLogins = {
	readonly keep: (image: string, login: RegistryLogin) => void;
	/** Returns the login for an image's push, and forgets it. */
	readonly take: (image: string) => RegistryLogin | undefined;
};

/** Time in which a host can take the login's task. */
const KEPT_MS = 600_000;

export function createRegistryLogins(): RegistryLogins {
	const kept = new Map<string, {readonly login: RegistryLogin; readonly timer: NodeJS.Timeout}>();

	function take(image: string): RegistryLogin | undefined {
		const found = kept.get(image);
		clearTimeout(found?.timer);
		kept.delete(image);
		return found?.login;
	}

	return {
		keep(image, login) {
			take(image);
			const timer = setTimeout(() => kept.delete(image), KEPT_MS).unref();
			kept.set(image, {login, timer});
		},
		take,
	};
}
