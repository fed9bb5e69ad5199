// A service whose file brings along what adopts and carries.
import '@waybill/adapters/register'
import './bare.mjs'
