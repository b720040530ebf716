import {createContext, useContext} from 'react';
import type {QueryClient} from '@tanstack/react-query';
import type {Client} from '../client/client.ts';
import type {Painter} from './components/painted.tsx';
import type {Settings} from './default-settings.ts';
import type {Theme} from './theme.ts';

/** What a screen works with, beside where it is and which keys it has. */
export type Services = {
	/** The client of the service, once there is one: it is opened while the first frame is shown. */
	readonly client: () => Promise<Client>;
	readonly live: QueryClient;
	readonly settings: Settings;
	readonly theme: Theme;
	/** Draws rows past React; undefined where there is no terminal of ours to draw on. */
	readonly painter: Painter | undefined;
};

const ServicesContext = createContext<Services | undefined>(undefined);

export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
	const services = useContext(ServicesContext);
	if (services === undefined) throw new Error('useServices is for what the console shows');
	return services;
}
