import type {Contract} from '../../contract/index.ts';
import type {Handler} from './handler.ts';
import {noClouds} from '../base/refusal.ts';

type Calls = Contract['unsupported'];

export const startCloudCopy: Handler<Calls['startCloudCopy']> = () => {
	throw noClouds();
};

export const cancelCloudCopy: Handler<Calls['cancelCloudCopy']> = () => {
	throw noClouds();
};

export const cloudConnections: Handler<Calls['cloudConnections']> = () => [];

export const twoStep: Handler<Calls['twoStep']> = () => ({
	success: true,
	tfa_enabled: false,
	backup_codes_remaining: 0,
	new_method_authorized: false,
	methods: [],
});

export const endpointJobs: Handler<Calls['endpointJobs']> = () => ({success: true, results: []});

export const networkRoom: Handler<Calls['networkRoom']> = () => ({offers: []});
